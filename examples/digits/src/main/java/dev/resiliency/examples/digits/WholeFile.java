package dev.resiliency.examples.digits;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that is always complete: a new version is written beside it, forced to disk, and renamed over it atomically.
 *
 * @param path the file, which need not exist yet
 */
public record WholeFile(Path path) {
    /** Returns what the file contains; empty if there is none. */
    public Optional<byte[]> read() throws IOException {
        try {
            return Optional.of(Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Writes a new version beside the file, which stays as it is. */
    public Path write(ByteBuffer content) throws IOException {
        Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
        try (FileChannel file = FileChannel.open(temporary, CREATE, TRUNCATE_EXISTING, WRITE)) {
            while (content.hasRemaining()) {
                file.write(content);
            }
            file.force(true);
        }
        return temporary;
    }

    /** Replaces the file by the new version. When this returns, it survives a crash of the machine. */
    public void publish(Path temporary) throws IOException {
        Files.move(temporary, path, ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent(), READ)) {
            directory.force(true); // the name is stored in the directory
        }
    }
}
