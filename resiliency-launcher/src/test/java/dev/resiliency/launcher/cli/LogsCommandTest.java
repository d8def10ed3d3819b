package dev.resiliency.launcher.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.log.LogReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LogsCommandTest {
    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private LogFiles files() {
        return LogFiles.of(directory.resolve("train"));
    }

    private void write(int cycle, String text) throws Exception {
        Files.writeString(files().ofCycle(cycle), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private String printed() {
        return out.toString(UTF_8);
    }

    @Test
    void linesOfOneRankArePrinted() throws Exception {
        write(
                3,
                "host0:1 2026 [rank 1] a\nhost0:2 2026 [rank 11] b\nhost1:1 2026 [rank 1] c\nhost1:2 2026 [rank 1] no end");
        new LogReader(files(), OptionalInt.of(1), out).print(3);

        assertThat(printed())
                .isEqualTo("host0:1 2026 [rank 1] a\nhost1:1 2026 [rank 1] c\nhost1:2 2026 [rank 1] no end\n");
    }

    @Test
    void laterLinesAndCyclesAreFollowed() throws Exception {
        write(0, "first\nhalf");
        Thread reader = new Thread(() -> {
            try {
                new LogReader(files(), OptionalInt.empty(), out).follow(0, true);
            } catch (Exception interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        reader.start();
        try {
            await().atMost(Duration.ofSeconds(30)).until(() -> printed().equals("first\n"));
            write(0, " a line\n");
            await().atMost(Duration.ofSeconds(30)).until(() -> printed().equals("first\nhalf a line\n"));
            write(0, "last, of a process that was killed");
            write(1, "next\n");
            await().atMost(Duration.ofSeconds(30)).until(() -> printed().endsWith("was killed\nnext\n"));
        } finally {
            reader.interrupt();
            reader.join();
        }
    }

    @Test
    void latestCycleIsFound() throws Exception {
        write(2, "a\n");
        write(10, "b\n");
        Files.createFile(files().ofNode(11, "host0"));

        assertThat(files().latestCycle()).hasValue(10);
        assertThat(LogFiles.cycleOf("/logs/train_cycle10.host0.log")).contains(10);
        assertThat(LogFiles.cycleOf("/logs/train.log")).isEmpty();
    }

    @Test
    void missingFilesAreNamed() {
        StringWriter errors = new StringWriter();
        CommandLine program = ResiliencyCommand.commandLine().setErr(new PrintWriter(errors));

        assertThat(program.execute("logs", directory.resolve("train").toString()))
                .isEqualTo(1);
        assertThat(errors.toString()).contains("there is no log file " + directory.resolve("train_cycleN.log"));
        assertThat(program.execute("logs")).isEqualTo(2);
    }
}
