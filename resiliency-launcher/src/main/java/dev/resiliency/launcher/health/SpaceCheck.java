package dev.resiliency.launcher.health;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks that a directory is writable and has space. */
final class SpaceCheck implements HostCheck {
    private static final long MEBIBYTE = 1 << 20;

    private final Path directory;
    private final long neededMebibytes;
    private final String use;

    /**
     * Creates a check.
     *
     * @param use what it is needed for and how to get more, as the end of a sentence: {@code NCCL shares memory there}
     */
    SpaceCheck(Path directory, long neededMebibytes, String use) {
        this.directory = directory;
        this.neededMebibytes = neededMebibytes;
        this.use = use;
    }

    @Override
    public Finding run() {
        String subject = directory.toString();
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            return Finding.failure(subject, "this user cannot write to it: " + use);
        }
        try {
            FileStore disk = Files.getFileStore(directory);
            long free = disk.getUsableSpace() / MEBIBYTE;
            return free >= neededMebibytes
                    ? Finding.ok(subject, free + " MiB are free")
                    : Finding.warning(
                            subject, "only %d MiB are free, %d are better: %s".formatted(free, neededMebibytes, use));
        } catch (IOException e) {
            return Finding.failure(subject, "its disk does not answer: " + e.getMessage());
        }
    }
}
