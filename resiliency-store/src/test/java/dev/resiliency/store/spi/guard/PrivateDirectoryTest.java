package dev.resiliency.store.spi.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another user of this machine has been at the place of a directory before. */
class PrivateDirectoryTest {
    @TempDir
    private Path parent;

    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void missingDirectoriesAreCreatedForTheirOwnerOnly() throws Exception {
        PrivateDirectory opened = PrivateDirectory.open(parent.resolve("a/b")).child("c");

        assertThat(opened.path()).isEqualTo(parent.resolve("a/b/c"));
        for (Path level : new Path[] {parent.resolve("a"), parent.resolve("a/b"), opened.path()}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(level)))
                    .isEqualTo("rwx------");
        }
        assertThat(PrivateDirectory.open(opened.path())).isEqualTo(opened);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx---rwx", "rwx----w-"})
    void directoryToWhichOthersMayWriteIsRefusedAtEachLevel(String permissions) throws Exception {
        Path child = PrivateDirectory.open(parent).child("child").path();
        allow(child, permissions);

        assertThatIOException()
                .isThrownBy(() -> PrivateDirectory.open(child))
                .withMessageContaining("(" + permissions + "): it must belong to ");
        assertThatIOException()
                .isThrownBy(() -> PrivateDirectory.open(parent).child("child"))
                .withMessageContaining(child.toString());
    }

    @Test
    void directoryOfAnotherUserIsRefused() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("who may give directories away")
                .isEqualTo("root");
        Path child = PrivateDirectory.open(parent).child("child").path();
        Files.setAttribute(child, "unix:uid", 65_534);

        assertThatIOException()
                .isThrownBy(() -> PrivateDirectory.open(child))
                .withMessageContaining(child + " belongs to ");
    }

    @Test
    void linkToADirectoryIsNotFollowed() throws Exception {
        Path link =
                Files.createSymbolicLink(parent.resolve("link"), Files.createDirectory(parent.resolve("checkpoints")));

        assertThatIOException()
                .isThrownBy(() -> PrivateDirectory.open(link))
                .withMessage(link + " is a symbolic link, and is not followed");
        assertThatIOException()
                .isThrownBy(() -> PrivateDirectory.open(parent).child("link"))
                .withMessageContaining("is a symbolic link");
    }

    @Test
    void fileInItsPlaceIsRefused() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));

        assertThatIOException().isThrownBy(() -> PrivateDirectory.open(file)).withMessage(file + " is no directory");
    }

    @Test
    void onlyWhatIsNoLinkIsListed() throws Exception {
        PrivateDirectory directory = PrivateDirectory.open(parent);
        Files.createFile(directory.resolve("file"));
        directory.child("child");
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("file"));
        Files.createSymbolicLink(directory.resolve("linked"), directory.resolve("child"));

        assertThat(directory.files()).containsExactly("file");
        assertThat(directory.directories()).containsExactly("child");
    }

    @Test
    void directoryIsDeletedOnlyIfItIsEmpty() throws Exception {
        PrivateDirectory directory = PrivateDirectory.open(parent.resolve("own"));
        Files.createFile(directory.resolve("file"));
        directory.deleteIfEmpty();
        assertThat(directory.path()).exists();

        Files.delete(directory.resolve("file"));
        directory.deleteIfEmpty();
        assertThat(directory.path()).doesNotExist();
    }
}
