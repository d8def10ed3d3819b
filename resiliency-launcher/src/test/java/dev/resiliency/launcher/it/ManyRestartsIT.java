package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a supervisor holds must not grow with the restarts. */
@Tag("full")
@Timeout(180)
class ManyRestartsIT {
    private static final int FIRST = 10;
    private static final int LAST = 110;

    @TempDir
    private Path directory;

    @Test
    void descriptorsAndThreadsOfASupervisorStayTheSame() throws Exception {
        Path end = directory.resolve("end");
        String script = "echo run; [ -e '%s' ] && exit 0; exit 1".formatted(end);
        try (Supervised supervised =
                Supervised.script(directory, script, "--max-restarts", "1000", "--backoff", "50ms:50ms")) {
            Path process = Path.of("/proc", Long.toString(supervised.process().pid()));
            awaitRuns(supervised, FIRST);
            long descriptors = count(process.resolve("fd"));
            long threads = count(process.resolve("task"));

            awaitRuns(supervised, LAST);

            assertThat(count(process.resolve("fd"))).isLessThanOrEqualTo(descriptors + 3);
            assertThat(count(process.resolve("task"))).isLessThanOrEqualTo(threads + 3);
            Files.createFile(end);
            assertThat(supervised.awaitExit()).isZero();
            assertThat(count(directory.resolve("run"))).isZero();
        }
    }

    private static void awaitRuns(Supervised supervised, int runs) {
        await().atMost(Duration.ofSeconds(90))
                .until(() -> supervised.process().lines().size() >= runs);
    }

    private static long count(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }
}
