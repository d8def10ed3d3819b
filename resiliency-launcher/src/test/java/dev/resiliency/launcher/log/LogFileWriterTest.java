package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileWriterTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path directory;

    private final List<String> complaints = new ArrayList<>();
    private long now;
    private LogFiles files;

    @BeforeEach
    void name() {
        files = LogFiles.of(directory.resolve("train.log"));
    }

    private LogFileWriter writer() {
        return new LogFileWriter(files::ofCycle, (cycle, size) -> {}, complaints::add, () -> now);
    }

    private static void write(LogFileWriter writer, int cycle, String... lines) {
        for (String line : lines) {
            writer.write(cycle, (line + "\n").getBytes(UTF_8));
        }
        writer.flush();
    }

    private List<String> linesOf(int cycle) throws Exception {
        return Files.readAllLines(files.ofCycle(cycle));
    }

    @Test
    void eachCycleHasItsFileAndLateLinesFindTheirs() throws Exception {
        try (LogFileWriter writer = writer()) {
            write(writer, 0, "a", "b");
            write(writer, 1, "c");
            write(writer, 0, "late");
            write(writer, 1, "d");
        }

        assertThat(directory.resolve("train_cycle0.log")).exists();
        assertThat(linesOf(0)).containsExactly("a", "b", "late");
        assertThat(linesOf(1)).containsExactly("c", "d");
        assertThat(complaints).isEmpty();
    }

    @Test
    void fileThatIsThereIsAppendedTo() throws Exception {
        Files.writeString(files.ofCycle(0), "before\n");
        try (LogFileWriter writer = writer()) {
            write(writer, 0, "after");
        }

        assertThat(linesOf(0)).containsExactly("before", "after");
    }

    @Test
    void fullDiskIsSaidOnceAndLinesAreCounted() throws Exception {
        assumeThat(FULL).exists();
        try (LogFileWriter writer = new LogFileWriter(
                files::ofCycle,
                file -> FileChannel.open(FULL, StandardOpenOption.WRITE),
                (cycle, size) -> {},
                complaints::add,
                () -> now)) {
            write(writer, 0, "a", "b");
            now += Duration.ofHours(1).toNanos();
            write(writer, 0, "c");

            assertThat(complaints).singleElement().asString().contains("train_cycle0.log cannot be written: No space");
            assertThat(writer.lostInAll()).isEqualTo(3);
        }
    }

    @Test
    void linkInThePlaceOfTheFileIsNotFollowed() throws Exception {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Files.createSymbolicLink(files.ofCycle(0), victim);
        try (LogFileWriter writer = writer()) {
            write(writer, 0, "a");
            assertThat(complaints).singleElement().asString().contains("is a symbolic link, and is not followed");

            Files.delete(files.ofCycle(0));
            write(writer, 0, "b");
        }

        assertThat(linesOf(0)).endsWith("b").hasSize(2);
        assertThat(victim).hasContent("precious");
    }

    @Test
    void lostLinesAreNamedWhereTheyAreMissing() throws Exception {
        Path missing = directory.resolve("later");
        files = files.in(missing);
        try (LogFileWriter writer = writer()) {
            write(writer, 0, "a", "b");
            Files.createDirectory(missing);
            write(writer, 0, "c");
        }

        assertThat(linesOf(0)).containsExactly("… 2 lines are missing here, as the file could not be written", "c");
        assertThat(complaints).hasSize(2).last().asString().contains("is written again; 2 lines are missing in it");
    }

    @Test
    void fileThatFailsAgainAndAgainIsSaidOnceInAMinute() throws Exception {
        Path there = directory.resolve("there");
        files = files.in(there);
        try (LogFileWriter writer = writer()) {
            for (int second = 0; second < 59; second++) {
                now += Duration.ofSeconds(1).toNanos();
                write(writer, second, "a");
            }
            assertThat(complaints).hasSize(1);
        }
    }
}
