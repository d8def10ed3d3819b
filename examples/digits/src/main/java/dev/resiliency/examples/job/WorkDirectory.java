package dev.resiliency.examples.job;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A temporary directory of one job, deleted on close unless it is to be kept. */
public final class WorkDirectory implements AutoCloseable {
    private final Path path;
    private boolean kept;

    /** Creates a directory whose name begins with the prefix. */
    public WorkDirectory(String prefix) throws IOException {
        path = Files.createTempDirectory(prefix);
    }

    /** Returns its path. */
    public Path path() {
        return path;
    }

    /** Keeps the directory on close. */
    public void keep() {
        kept = true;
    }

    @Override
    public void close() throws IOException {
        if (!kept) {
            Files.walkFileTree(path, new Deletion());
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // a monitor process deleted it meanwhile
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
