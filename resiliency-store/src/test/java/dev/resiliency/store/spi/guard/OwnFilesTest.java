package dev.resiliency.store.spi.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another user of this machine has been at the place of a file before. */
@Timeout(60) // to open a FIFO blocks
class OwnFilesTest {
    private static final int LIMIT = 10;

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void create() {
        file = directory.resolve("file");
    }

    private void append(String line) throws IOException {
        try (FileChannel channel = OwnFiles.append(file)) {
            channel.write(UTF_8.encode(line));
        }
    }

    private void createFifo() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
    }

    /** What all ways to open a file say. */
    private void assertThatAllRefuse(String message) {
        assertThatIOException().isThrownBy(() -> append("line")).withMessageContaining(message);
        assertThatIOException().isThrownBy(() -> OwnFiles.update(file)).withMessageContaining(message);
        assertThatIOException().isThrownBy(() -> OwnFiles.read(file, LIMIT)).withMessageContaining(message);
        assertThatIOException().isThrownBy(() -> OwnFiles.replace(file, "new")).withMessageContaining(message);
    }

    @Test
    void linesAreAddedToTheFileOfAnEarlierProcess() throws Exception {
        append("one ");
        append("two");

        assertThat(file).hasContent("one two");
    }

    @Test
    void fileIsReplacedAsAWhole() throws Exception {
        OwnFiles.replace(file, "a long one");
        OwnFiles.replace(file, "short");

        assertThat(OwnFiles.read(file, LIMIT)).isEqualTo("short");
        assertThat(directory).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void fileThatCannotBeReplacedLeavesNothingBehind() throws Exception {
        Path missing = directory.resolve("missing/file");

        assertThatIOException().isThrownBy(() -> OwnFiles.replace(missing, "new"));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void linkIsNotFollowedEvenIfNothingIsWhereItLeads() throws Exception {
        Path target = directory.resolve("target");
        Files.createSymbolicLink(file, target);

        assertThatAllRefuse(
                file
                        + " is a symbolic link, and is not followed: remove it, or name one in a directory that only you can write to");
        assertThat(OwnFiles.delete(file)).isFalse();
        assertThat(target).doesNotExist();
        assertThat(file).isSymbolicLink();
    }

    @Test
    void deviceThatALinkLeadsToIsNotRead() throws Exception {
        Files.createSymbolicLink(file, Path.of("/dev/zero"));

        assertThatAllRefuse(" is a symbolic link");
    }

    @Test
    void fifoIsNotWaitedFor() throws Exception {
        createFifo();

        assertThatAllRefuse(file + " is no file");
        assertThat(OwnFiles.delete(file)).isFalse();
    }

    @Test
    void directoryIsNoFile() throws Exception {
        Files.createDirectory(file);

        assertThatAllRefuse(file + " is no file: remove it");
        assertThat(file).isDirectory();
    }

    @Test
    void fileThatIsTooLongIsNotRead() throws Exception {
        Files.writeString(file, "x".repeat(LIMIT));
        assertThat(OwnFiles.read(file, LIMIT)).hasSize(LIMIT);
        append("x");

        assertThatIOException()
                .isThrownBy(() -> OwnFiles.read(file, LIMIT))
                .withMessage(file + " has 11 bytes: at most 10 are read");
    }

    @Test
    void missingFileIsToldFromOneThatCannotBeRead() throws Exception {
        assertThatThrownBy(() -> OwnFiles.read(file, LIMIT)).isInstanceOf(NoSuchFileException.class);
        assertThat(OwnFiles.delete(file)).isTrue();
    }

    /** A second name of a file, which Linux lets only its owner create unless told otherwise. */
    @Test
    void replacedFileKeepsItsContentUnderAnotherName() throws Exception {
        Path other = Files.writeString(directory.resolve("other"), "precious");
        Files.createLink(file, other);

        OwnFiles.replace(file, "1");

        assertThat(other).hasContent("precious");
        assertThat(file).hasContent("1");
    }

    @Test
    void fileOfAnotherUserIsRefusedOnlyInADirectoryOfAllUsers() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("who may give files away")
                .isEqualTo("root");
        Files.writeString(file, "");
        Files.setAttribute(file, "unix:uid", 65_534);
        append("line");
        assertThat(file).hasContent("line");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatAllRefuse(", in a directory of all users: remove it");
        assertThat(OwnFiles.delete(file)).isFalse();
        assertThat(file).hasContent("line");
    }

    @Test
    void textsNeverShareTheNameOfAFile() {
        List<String> texts =
                List.of("a_b", "a:b", "a/b", "a%3Ab", ".", "..", "", "ä", "A", "a", "x".repeat(300), "x".repeat(301));

        assertThat(texts.stream().map(FileNames::of).toList())
                .doesNotHaveDuplicates()
                .allMatch(name -> name.length() < 200)
                .allMatch(name -> name.matches("[A-Za-z0-9_%-][A-Za-z0-9._%-]*|"))
                .contains("a_b", "a%3Ab");
    }
}
