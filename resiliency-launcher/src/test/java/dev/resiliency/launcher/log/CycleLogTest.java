package dev.resiliency.launcher.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CycleLogTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern NOTICE = Pattern.compile("… (\\d+) lines are missing here");
    private static final int MANY = 25_000;

    @TempDir
    private Path directory;

    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final CountDownLatch isFast = new CountDownLatch(1);

    /** The file of a file system that stands still. */
    private Path slowFile(int cycle) {
        try {
            isFast.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return file();
    }

    private Path file() {
        return directory.resolve("train_cycle0.log");
    }

    private List<String> lines() throws IOException {
        return Files.exists(file()) ? Files.readAllLines(file()) : List.of();
    }

    private static long missing(List<String> lines) {
        return lines.stream()
                .map(NOTICE::matcher)
                .filter(Matcher::find)
                .mapToLong(notice -> Long.parseLong(notice.group(1)))
                .sum();
    }

    @Test
    void linesOfTheLauncherThatASlowFileDoesNotTakeAreCountedThere() throws Exception {
        int added = MANY;
        try (CycleLog log = new CycleLog(this::slowFile, complaints::add)) {
            log.enter(0, 1);
            for (int line = 0; line < MANY; line++) {
                log.add("line");
            }
            isFast.countDown();
            while (missing(lines()) == 0) {
                log.add("line");
                added++;
                await().atMost(LIMIT).until(() -> !lines().isEmpty());
            }
        }

        List<String> lines = lines();
        long missing = missing(lines);
        assertThat(missing).isGreaterThanOrEqualTo(MANY - 20_000);
        assertThat(lines.stream().filter("line"::equals).count() + missing).isEqualTo(added);
        assertThat(complaints)
                .containsExactly(missing + " lines are missing in the log files, which were written too slowly");
    }

    @Test
    void nothingIsSaidOfAFileThatTakesAllLines() throws Exception {
        isFast.countDown();
        try (CycleLog log = new CycleLog(this::slowFile, complaints::add)) {
            log.add("before the first cycle");
            log.enter(0, 1);
            log.add("in it");
        }

        assertThat(lines()).containsExactly("before the first cycle", "in it");
        assertThat(complaints).isEmpty();
    }
}
