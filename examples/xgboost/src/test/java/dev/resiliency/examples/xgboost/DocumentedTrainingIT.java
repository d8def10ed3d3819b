package dev.resiliency.examples.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.DocumentedProgram;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the document. */
class DocumentedTrainingIT {
    private static final String MODULES =
            ".*/(resiliency-(core|state|store|xgboost)|netty|slf4j|logback|jspecify|jna|jackson-(core|databind|annotations)|xgboost4j|commons-logging|kryo|minlog|objenesis|reflectasm)[^/]*\\.jar";

    @TempDir
    private Path directory;

    @Test
    void programTrainsOnTwoRanks() throws Exception {
        try (DocumentedProgram program = DocumentedProgram.of("xgboost.md", directory)) {
            assertTrains(program.job().worldSize(2));
        }
    }

    @Tag("full")
    @Test
    void programTrainsWithTheLibrariesOnTheModulePath() throws Exception {
        String modulePath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.matches(MODULES))
                .collect(Collectors.joining(File.pathSeparator));
        try (DocumentedProgram program = DocumentedProgram.of("xgboost.md", directory)) {
            assertTrains(
                    program.job()
                            .worldSize(2)
                            .classPath(directory.toString())
                            .javaOptions(
                                    "--module-path",
                                    modulePath,
                                    "--add-modules",
                                    "dev.resiliency.xgboost,com.fasterxml.jackson.databind,com.sun.jna,ch.qos.logback.classic"));
        }
    }

    private static void assertTrains(ProcessJob.Builder settings) throws Exception {
        try (ProcessJob job = settings.start()) {
            for (RankProcess rank : job.ranks()) {
                assertThat(rank.awaitExit()).as(rank::log).isZero();
                assertThat(rank.lines()).as(rank::log).anyMatch(line -> line.matches("the model has \\d{5,} bytes"));
            }
        }
    }
}
