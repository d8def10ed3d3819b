package dev.resiliency.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.spark.cluster.SparkCluster;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is left of a stage whose driver or context has ended. */
class EndOfDriverIT {
    private static SparkCluster cluster;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start(@TempDir Path shared) throws Exception {
        cluster = SparkCluster.start(shared, StageOnCluster.RANKS);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void executorsAreGoneWhenTheContextIsStopped() throws Exception {
        Journal journal = new Journal(directory.resolve("journal").toString());
        try (JavaSparkContext context = new JavaSparkContext(cluster.conf("context", StageOnCluster.RANKS))) {
            CompletableFuture<List<Long>> results = StageOnCluster.begin(
                    ResilientStage.of(context),
                    context.parallelize(List.of(1, 2, 3), StageOnCluster.RANKS),
                    new Summing(journal, 100_000, 20, (state, step) -> {}));
            journal.awaitLine("(rank 1) has done step 10");
            context.stop();

            assertThatThrownBy(results::get).cause().isInstanceOf(ResilientStageException.class);
            awaitEndOfExecutors(journal);
        }
    }

    @Test
    void executorsAreGoneWhenTheDriverIsKilled() throws Exception {
        Journal journal = new Journal(directory.resolve("journal").toString());
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-javaagent"))
                .toList());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Driver.class.getName()));
        for (var setting : cluster.conf("driver", StageOnCluster.RANKS).getAll()) {
            command.add(setting._1() + "=" + setting._2());
        }
        command.add(journal.file());
        File log = directory.resolve("driver.log").toFile();
        Process driver = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        try {
            journal.awaitLine("(rank 1) has done step 10");
        } finally {
            driver.destroyForcibly();
        }

        awaitEndOfExecutors(journal);
    }

    private static void awaitEndOfExecutors(Journal journal) {
        List<Long> processes = journal.find("rank .* begins iteration 0 .* in process (\\d+) as .*").stream()
                .map((MatchResult line) -> Long.valueOf(line.group(1)))
                .toList();
        assertThat(processes).hasSize(StageOnCluster.RANKS);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> processes.stream()
                        .noneMatch(process -> ProcessHandle.of(process)
                                .filter(ProcessHandle::isAlive)
                                .isPresent()));
    }

    /** A driver in a process of its own; its arguments are settings of Spark, and then the file of the journal. */
    static final class Driver {
        public static void main(String[] arguments) throws Exception {
            SparkConf conf = new SparkConf(false);
            int last = arguments.length - 1;
            for (int i = 0; i < last; i++) {
                String[] setting = arguments[i].split("=", 2);
                conf.set(setting[0], setting[1]);
            }
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                ResilientStage.of(context)
                        .run(
                                context.parallelize(List.of(1, 2, 3), StageOnCluster.RANKS),
                                new Summing(new Journal(arguments[last]), 100_000, 20, (state, step) -> {}));
            }
        }
    }
}
