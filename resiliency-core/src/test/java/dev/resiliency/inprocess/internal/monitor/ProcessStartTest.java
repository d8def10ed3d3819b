package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessStartTest {
    /** The fields after the name: the state, 18 more, the start ticks, and others. */
    private static final String REST = "S 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 20 0 31 0 812345678901 999 42\n";

    @ParameterizedTest
    @ValueSource(strings = {"java", "a b", ") S 1 (", "r)(", "\u00ff\u0080 (x)"})
    void ticksAreFoundBehindAnyName(String name, @TempDir Path proc) throws Exception {
        Path stat = Files.createDirectory(proc.resolve("7")).resolve("stat");
        Files.writeString(stat, "7 (" + name + ") " + REST, ISO_8859_1);

        assertThat(ProcessStart.of(7, proc)).isEqualTo("812345678901 ticks");
    }

    @Test
    void processThatHasEndedHasNoStart(@TempDir Path proc) {
        assertThat(ProcessStart.of(7, proc)).isEmpty();
    }

    @Test
    void instantIsUsedWithoutProc(@TempDir Path directory) {
        ProcessHandle self = ProcessHandle.current();

        assertThat(ProcessStart.of(self.pid(), directory.resolve("none")))
                .isEqualTo(self.info().startInstant().orElseThrow().toString());
        assertThat(ProcessStart.of(Long.MAX_VALUE, directory.resolve("none"))).isEmpty();
    }

    @Test
    void anotherProcessReadsTheSame() throws Exception {
        long pid = ProcessHandle.current().pid();
        Process reader = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Reader.class.getName(),
                        Long.toString(pid))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String read = new String(reader.getInputStream().readAllBytes(), ISO_8859_1);
            assertThat(reader.waitFor(20, SECONDS)).isTrue();
            assertThat(read).isNotEmpty().isEqualTo(ProcessStart.of(pid));
        } finally {
            reader.destroyForcibly();
        }
    }

    /** Runs in a separate process. */
    static final class Reader {
        private Reader() {}

        @SuppressWarnings("SystemOut") // the pipe to the test
        public static void main(String[] pid) {
            System.out.print(ProcessStart.of(Long.parseLong(pid[0])));
        }
    }
}
