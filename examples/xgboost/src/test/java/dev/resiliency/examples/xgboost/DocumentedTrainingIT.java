package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.job.DocumentedProgram;
import dev.resiliency.testing.ProcessJob;
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
        assertTrains();
    }

    @Tag("full")
    @Test
    void programTrainsWithTheLibrariesOnTheModulePath() throws Exception {
        String modulePath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.matches(MODULES))
                .collect(Collectors.joining(File.pathSeparator));
        assertTrains(
                "--module-path",
                modulePath,
                "--add-modules",
                "dev.resiliency.xgboost,com.fasterxml.jackson.databind,com.sun.jna,ch.qos.logback.classic");
    }

    /** With libraries on the module path, none are on the class path. */
    private void assertTrains(String... modules) throws Exception {
        try (DocumentedProgram program = DocumentedProgram.of("xgboost.md", directory)) {
            ProcessJob.Builder settings = program.job().worldSize(2).javaOptions(modules);
            if (modules.length > 0) {
                settings.classPath(directory.toString());
            }
            try (ProcessJob job = settings.start()) {
                DocumentedProgram.assertRanksPrint("the model has \\d{5,} bytes", job.ranks());
            }
        }
    }
}
