package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The warm-up, which runs once per process, so each rank is a separate process. */
class WarmUpIT {
    @TempDir
    private Path directory;

    private ProcessJob start(String... options) throws IOException {
        return ProcessJob.builder(WarmUpProgram.class, directory)
                .worldSize(2)
                .javaOptions(options)
                .start();
    }

    @Test
    void jobOfSeveralRanksWarmsUpBeforeItsFirstCallByDefault() throws Exception {
        try (ProcessJob job = start()) {
            job.rank(0).awaitLine("WARMED UP true");
            job.rank(1).awaitLine("WARMED UP true");
        }
    }

    @Test
    void processThatWasStartedAgainWarmsUpBesideItsFirstCall() throws Exception {
        try (ProcessJob job = ProcessJob.builder(WarmUpProgram.class, directory)
                .worldSize(2)
                .environment("TORCHELASTIC_RESTART_COUNT", "1")
                .javaOptions("-Dlate=true")
                .start()) {
            job.rank(0).awaitLine("WARMED UP false");
            job.rank(1).awaitLine("WARMED UP false");
        }
    }

    @Tag("full")
    @Test
    void warmUpRunsWhereItIsSwitchedOnAndNowhereElse() throws Exception {
        try (ProcessJob job = start("-Dswitched=true")) {
            job.rank(0).awaitLine("WARMED UP true");
            job.rank(1).awaitLine("WARMED UP false");
            assertThat(job.rank(1).awaitExit()).isZero();
        }
    }
}
