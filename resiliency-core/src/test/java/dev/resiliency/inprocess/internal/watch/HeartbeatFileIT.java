package dev.resiliency.inprocess.internal.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.resiliency.inprocess.internal.settings.CannotRunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A heartbeat file that cannot be written: it says why, and leaves nothing behind. */
class HeartbeatFileIT {
    private static final String WHAT_TO_DO = "free space there, or name another directory with -Djava.io.tmpdir";

    @TempDir
    private Path directory;

    /** Run in a process of its own. */
    static final class Creation {
        private Creation() {}

        @SuppressWarnings("SystemOut") // read by the test
        public static void main(String[] arguments) {
            try {
                HeartbeatFile.create(HeartbeatFile.newPath(3));
                System.out.print("created");
            } catch (IOException e) {
                System.out.print(e.getMessage());
            }
        }
    }

    /** A limit on the size of files is one that any user may set; a write fails as on a full disk. */
    @Test
    void fileThatCannotBeWrittenIsNotLeftBehind() throws Exception {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -f 0 && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Creation.class.getName())
                .start();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .startsWith(
                        "no heartbeat file can be created in " + directory + " (java.io.IOException: File too large)")
                .endsWith(WHAT_TO_DO);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void fileForWhichTheDiskHasNoRoomIsNotLeftBehind() throws Exception {
        assumeThat(System.getProperty("user.name")).as("who may mount a disk").isEqualTo("root");
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=64k", "none", directory.toString()))
                .isZero();
        try {
            Path filler = directory.resolve("filler");
            assertThatIOException().isThrownBy(() -> Files.write(filler, new byte[1 << 20]));

            assertThatIOException()
                    .isThrownBy(() -> HeartbeatFile.create(HeartbeatFile.newPath(directory, 3)))
                    .withMessage("no heartbeat file can be created in " + directory
                            + " (java.io.IOException: No space left on device): " + WHAT_TO_DO);
            assertThat(directory).isDirectoryNotContaining(path -> !path.equals(filler));
        } finally {
            run("umount", directory.toString());
        }
    }

    @Test
    void directoryThatCannotBeWrittenToIsToldFromAFullDisk() throws Exception {
        assertThatExceptionOfType(CannotRunException.class)
                .isThrownBy(() -> HeartbeatFile.create(HeartbeatFile.newPath(directory.resolve("none"), 3)))
                .withMessageStartingWith("no heartbeat file can be created in " + directory.resolve("none"))
                .withMessageEndingWith(WHAT_TO_DO);

        assumeThat(System.getProperty("user.name")).as("who may mount a disk").isEqualTo("root");
        assumeThat(run("mount", "-t", "tmpfs", "-o", "ro", "none", directory.toString()))
                .isZero();
        try {
            assertThatExceptionOfType(CannotRunException.class)
                    .isThrownBy(() -> HeartbeatFile.create(HeartbeatFile.newPath(directory, 3)));
        } finally {
            run("umount", directory.toString());
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }
}
