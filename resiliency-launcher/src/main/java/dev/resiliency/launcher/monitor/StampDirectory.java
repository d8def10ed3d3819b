package dev.resiliency.launcher.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.spi.RankMonitors;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.store.spi.guard.OwnFiles;
import dev.resiliency.store.spi.guard.PrivateDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The directory with the stamp files of the ranks that one agent has started. A file in it says for which job and node, and is locked as
 * long as the agent lives. Those of an agent that was killed are still there for the next one of its job and node. A thread waits for the
 * files by which ranks announce their requests.
 *
 * <p>Thread: {@code resiliency-requests}, which does that.
 */
public final class StampDirectory implements AutoCloseable {
    private static final String SUFFIX = ".stamps";
    /** Of this class and of the ranks, which put further files beside theirs. */
    private static final Pattern OWN = Pattern.compile("p\\d+-\\d+\\.stamps(\\..+)?");

    private static final String OWNER = "owner";
    /** Its name until it is locked and says whose it is, so that no other agent finds it before. */
    private static final String NEW_OWNER = "owner.new";

    private static final int LONGEST_OWNER = 1 << 16;

    private final PrivateDirectory directory;
    /** Holds the lock. */
    private final FileChannel owner;

    private final WatchService watch;
    private int created;

    private StampDirectory(PrivateDirectory directory, FileChannel owner, WatchService watch) {
        this.directory = directory;
        this.owner = owner;
        this.watch = watch;
    }

    /**
     * Opens the directory of an agent, which is empty.
     *
     * @param name of the job and the node
     */
    public static StampDirectory open(PrivateDirectory directory, String name) throws IOException {
        FileChannel owner = OwnFiles.update(directory.resolve(NEW_OWNER));
        try {
            lock(owner);
            owner.write(UTF_8.encode(name));
            Files.move(directory.resolve(NEW_OWNER), directory.resolve(OWNER), StandardCopyOption.ATOMIC_MOVE);
            WatchService watch = directory.path().getFileSystem().newWatchService();
            directory
                    .path()
                    .register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
            return new StampDirectory(directory, owner, watch);
        } catch (IOException e) {
            owner.close();
            delete(directory);
            throw e;
        }
    }

    /**
     * Takes what agents of this job and node have left behind that have ended.
     *
     * @param all the directory with those of all agents
     * @param isOfThisProcess says whether an agent of this process has the directory of this name
     * @param left receives each file before it is deleted
     */
    public static void takeLeft(
            PrivateDirectory all, String name, Predicate<String> isOfThisProcess, Consumer<StampFile> left)
            throws IOException {
        for (String each : all.directories()) {
            // To close a file that another agent of this process has locked would unlock it.
            if (!isOfThisProcess.test(each)) {
                try {
                    takeIfLeft(all.existing(each), name, left);
                } catch (NoSuchFileException goneMeanwhile) {
                    // Whose it was has ended, or its next agent has taken it: to create anything here would stay for
                    // ever.
                }
            }
        }
    }

    private static void takeIfLeft(PrivateDirectory directory, String name, Consumer<StampFile> left)
            throws IOException {
        try (FileChannel owner = OwnFiles.updateExisting(directory.resolve(OWNER))) {
            // Whoever is not meant locks nothing: whoever is may look at this moment.
            if (nameIn(owner).equals(name) && lock(owner)) {
                take(directory, left);
            }
        }
    }

    /** Locks the file if nobody else has; returns whether it has. A file system without locks keeps what is left. */
    private static boolean lock(FileChannel owner) {
        try {
            return owner.tryLock() != null;
        } catch (IOException | OverlappingFileLockException notPossible) {
            return false;
        }
    }

    private static String nameIn(FileChannel owner) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(owner.size(), LONGEST_OWNER));
        owner.read(bytes, 0);
        return UTF_8.decode(bytes.flip()).toString();
    }

    private static void take(PrivateDirectory directory, Consumer<StampFile> left) throws IOException {
        for (String file : directory.files()) {
            if (file.endsWith(SUFFIX) && OWN.matcher(file).matches()) {
                accept(directory.resolve(file), left);
            }
        }
        RankMonitors.deleteLeft(directory.path());
        delete(directory);
    }

    private static void delete(PrivateDirectory directory) throws IOException {
        for (String file : directory.files()) {
            if (file.equals(OWNER)
                    || file.equals(NEW_OWNER)
                    || OWN.matcher(file).matches()) {
                OwnFiles.delete(directory.resolve(file));
            }
        }
        directory.deleteIfEmpty();
    }

    /** Sets what is called when a rank asks for something, on a thread of its own. */
    public void onAsked(Runnable asked) {
        Thread thread = new Thread(() -> awaitRequests(asked), "resiliency-requests");
        thread.setDaemon(true);
        thread.start();
    }

    private static void accept(Path file, Consumer<StampFile> left) {
        try (StampFile found = StampFile.open(file)) {
            left.accept(found);
        } catch (IOException e) {
            // Of another release.
        }
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

    /** See {@link RankMonitors#open}. */
    public RankMonitors openMonitors() throws IOException {
        return RankMonitors.open(directory.path());
    }

    /**
     * Creates the file of a process that is to start.
     *
     * @param warmUp see {@link StampFile#create}
     */
    public StampFile create(int process, int warmUp) throws IOException {
        return StampFile.create(directory.resolve("p%d-%d%s".formatted(process, created++, SUFFIX)), warmUp);
    }

    /** Ends the thread, and deletes the directory. */
    @Override
    public void close() {
        try (owner) {
            watch.close();
            delete(directory);
        } catch (IOException e) {
            // The next agent of this job and node deletes what is left.
        }
    }
}
