package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another user of this machine has been at the place of a file before. */
class OwnFilesTest {
    @TempDir
    private Path directory;

    private Path file;
    private OwnFiles files;

    @BeforeEach
    void create() throws IOException {
        file = directory.resolve("monitor");
        files = new OwnFiles(Files.createFile(directory.resolve("own")));
    }

    private void append(String line) throws IOException {
        try (BufferedWriter writer = files.append(file, "log")) {
            writer.write(line);
        }
    }

    @Test
    void linesAreAddedToTheFileOfAnEarlierProcess() throws Exception {
        append("one ");
        append("two");

        assertThat(file).hasContent("one two");
    }

    @Test
    void fileOfAnEarlierProcessIsReplaced() throws Exception {
        files.replace(file, "a long one", "pid");
        files.replace(file, "short", "pid");

        assertThat(file).hasContent("short");
    }

    @Test
    void directoryOfTheFileIsCreated() throws Exception {
        file = directory.resolve("new").resolve("monitor");

        append("line");

        assertThat(file).hasContent("line");
    }

    @Test
    void linkIsNotFollowedEvenIfNothingIsWhereItLeads() throws Exception {
        Path target = directory.resolve("target");
        Files.createSymbolicLink(file, target);

        assertThatIOException()
                .isThrownBy(() -> append("line"))
                .withMessage(
                        "the file " + file + " (log) is a symbolic link, and is not followed: remove it, or name one"
                                + " in a directory that only you can write to");
        assertThatIOException()
                .isThrownBy(() -> files.replace(file, "1", "pid"))
                .withMessageContaining("(pid) is a symbolic link");
        assertThat(target).doesNotExist();
    }

    /** A second name of a file, which Linux lets only its owner create unless told otherwise. */
    @Test
    void replacedFileKeepsItsContentUnderAnotherName() throws Exception {
        Path other = Files.writeString(directory.resolve("other"), "precious");
        Files.createLink(file, other);

        files.replace(file, "1", "pid");

        assertThat(other).hasContent("precious");
        assertThat(file).hasContent("1");
    }

    @Test
    void whatIsNoFileIsRefused() throws Exception {
        Files.createDirectory(file);

        assertThatIOException().isThrownBy(() -> append("line")).withMessageContaining("(log) is no file: remove it");
        assertThatIOException()
                .isThrownBy(() -> files.replace(file, "1", "pid"))
                .withMessageContaining("(pid) is no file: remove it");
        assertThat(file).isDirectory();
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

        assertThatIOException()
                .isThrownBy(() -> append("line"))
                .withMessageContaining("(log) belongs to ")
                .withMessageContaining(", in a directory of all users: remove it");
        assertThat(file).hasContent("line");
    }
}
