package dev.resiliency.launcher.monitor;

import dev.resiliency.monitor.spi.StampFile;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;

/**
 * The directory with the stamp files of the ranks of one node. Those that an agent has left behind which was killed are still there for
 * the next. A thread waits for the files by which ranks announce their requests.
 */
public final class StampDirectory implements AutoCloseable {
    private static final String SUFFIX = ".stamps";

    private final Path directory;
    private final WatchService watch;
    private int created;

    private StampDirectory(Path directory, WatchService watch) {
        this.directory = directory;
        this.watch = watch;
    }

    /**
     * Opens the directory; creates it if it does not exist.
     *
     * @param left receives each file that another agent has left behind, before it is deleted
     */
    public static StampDirectory open(Path directory, Consumer<StampFile> left) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (file.toString().endsWith(SUFFIX)) {
                    accept(file, left);
                }
                Files.deleteIfExists(file);
            }
        }
        WatchService watch = directory.getFileSystem().newWatchService();
        directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
        return new StampDirectory(directory, watch);
    }

    /** Sets what is called when a rank asks for something, on a thread of its own. */
    public void onAsked(Runnable asked) {
        Thread thread = new Thread(() -> awaitRequests(asked), "resiliency-requests");
        thread.setDaemon(true);
        thread.start();
    }

    private static void accept(Path file, Consumer<StampFile> left) {
        StampFile found;
        try {
            found = StampFile.open(file);
        } catch (IOException e) {
            return; // of another release
        }
        left.accept(found);
    }

    private void awaitRequests(Runnable asked) {
        try {
            while (true) {
                WatchKey key = watch.take();
                boolean isRequest = key.pollEvents().stream()
                        .anyMatch(event -> String.valueOf(event.context()).endsWith(StampFile.CONTROL_SUFFIX));
                key.reset();
                if (isRequest) {
                    asked.run();
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException closed) {
            // The agent ends.
        }
    }

    /**
     * Creates the file of a process that is to start.
     *
     * @param warmUp see {@link StampFile#create}
     */
    public StampFile create(int process, int warmUp) throws IOException {
        return StampFile.create(directory.resolve("p%d-%d%s".formatted(process, created++, SUFFIX)), warmUp);
    }

    /** Ends the thread, and deletes the directory if it is empty. */
    @Override
    public void close() {
        try {
            watch.close();
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // It is not empty: the next agent finds what is left.
        }
    }

    /** Returns the directory of a node in another one. */
    public static Path of(Path parent, String jobId, String node) {
        String name = (jobId + "-" + node).replaceAll("[^A-Za-z0-9._-]", "_");
        return parent.resolve("stamps").resolve(name);
    }
}
