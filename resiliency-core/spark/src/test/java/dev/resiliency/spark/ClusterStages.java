package dev.resiliency.spark;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of stages on a real cluster, which all tests of a class share. */
abstract class ClusterStages {
    static final int STEPS = 40;
    static final Summing.Mishap NONE = (state, step) -> {};

    @TempDir
    static Path directory;

    static StageOnCluster spark;

    @TempDir
    Path own;

    Journal journal;

    @BeforeAll
    static void start() throws Exception {
        spark = new StageOnCluster(directory);
    }

    @AfterAll
    static void stop() {
        spark.close();
    }

    @BeforeEach
    void begins() {
        journal = new Journal(own.resolve("journal").toString());
        spark.restarts.clear();
        spark.progress.clear();
    }

    Summing summing(int steps, Summing.Mishap mishap) {
        return new Summing(journal, steps, 20, mishap);
    }
}
