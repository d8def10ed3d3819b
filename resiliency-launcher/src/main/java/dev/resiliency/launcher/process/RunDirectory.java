package dev.resiliency.launcher.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A directory in which the supervisors of a user on this host note their processes, a small file each, so that the next
 * supervisor can end those which have outlived theirs. Safe for use by many threads.
 */
public final class RunDirectory {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
    /** Of those that SIGTERM is to end. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final String UNFINISHED = ".tmp";

    /** The id of no process. */
    static final long NOT_STARTED = 0;

    /** Null if there is none. */
    private final @Nullable Path directory;

    private final Place here;
    private final ProcessStatus self;
    private final AtomicInteger entries = new AtomicInteger();

    private RunDirectory(@Nullable Path directory) throws IOException {
        this.directory = directory;
        here = Place.current();
        self = ProcessStatus.of(ProcessHandle.current().pid())
                .orElseThrow(() -> new IOException("/proc does not show this process"));
    }

    /** Where a process id has its meaning: until the host boots, and in one namespace, so not in another container. */
    private record Place(String boot, String namespace) {
        static Place current() throws IOException {
            return new Place(
                    Files.readString(BOOT).strip(),
                    Files.readSymbolicLink(NAMESPACE).toString());
        }
    }

    /**
     * Notes nothing, where there can be no directory.
     *
     * @throws UnsupportedOperationException if the system is not Linux
     */
    public static RunDirectory none() {
        try {
            return new RunDirectory(null);
        } catch (IOException e) {
            throw new UnsupportedOperationException("a supervisor needs Linux and its /proc", e);
        }
    }

    /**
     * Opens a directory; creates it if it does not exist.
     *
     * @throws IOException if that is impossible, others may write to it, or the system is not Linux
     */
    public static RunDirectory open(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        // What is noted there is killed, so nobody else may write to it.
        Object owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS);
        Object user = Files.getOwner(Path.of("/proc/self"));
        String permissions =
                PosixFilePermissions.toString(Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS));
        if (!owner.equals(user) || permissions.charAt(4) == 'w' || permissions.charAt(7) == 'w') {
            throw new IOException("%s belongs to %s (%s): it must belong to %s, and nobody else may write to it"
                    .formatted(directory, owner, permissions, user));
        }
        return new RunDirectory(directory);
    }

    /**
     * Opens a directory, and ends what former supervisors have left behind; if that is impossible, notes nothing.
     *
     * @param log receives what was ended, or why nothing is noted
     */
    public static RunDirectory openOrNone(Path directory, Consumer<String> log) throws InterruptedException {
        try {
            RunDirectory opened = open(directory);
            opened.endOrphans().forEach(log);
            return opened;
        } catch (IOException e) {
            RunDirectory none = none();
            log.accept(
                    "the directory of running processes cannot be used (%s): if a supervisor is killed, the next one cannot"
                                    .formatted(e)
                            + " end what it has left behind");
            return none;
        }
    }

    /** Returns the directory of this user on this host, unless the user chooses another one. */
    public static Path byDefault() {
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        return runtime != null && Files.isWritable(Path.of(runtime))
                ? Path.of(runtime, "resiliency")
                : Path.of(System.getProperty("java.io.tmpdir"), "resiliency-" + System.getProperty("user.name"));
    }

    Entry newEntry() {
        return new Entry("%d-%d-%d".formatted(self.pid(), self.startTicks(), entries.getAndIncrement()));
    }

    /** What is noted of one process. */
    final class Entry {
        private final String mark;

        private Entry(String mark) {
            this.mark = mark;
        }

        /** Returns its name, which no other process on this host has until the next boot. */
        String mark() {
            return mark;
        }

        /** Notes the process, or {@link #NOT_STARTED}, if that is possible: a full disk must not end the training. */
        void write(long pid) {
            if (directory == null) {
                return;
            }
            long ticks = ProcessStatus.of(pid).map(ProcessStatus::startTicks).orElse(0L);
            Path unfinished = directory.resolve(mark + UNFINISHED);
            try {
                Files.writeString(
                        unfinished,
                        String.join(
                                " ",
                                here.boot(),
                                here.namespace(),
                                Long.toString(self.pid()),
                                Long.toString(self.startTicks()),
                                Long.toString(pid),
                                Long.toString(ticks)));
                Files.move(unfinished, directory.resolve(mark), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                delete();
            }
        }

        void delete() {
            if (directory == null) {
                return;
            }
            try {
                Files.deleteIfExists(directory.resolve(mark));
                Files.deleteIfExists(directory.resolve(mark + UNFINISHED));
            } catch (IOException e) {
                // The next supervisor deletes it.
            }
        }
    }

    /** A file of this directory. */
    private record Noted(Path file, Place place, long supervisor, long supervisorTicks, long pid, long ticks) {
        static Optional<Noted> read(Path file) {
            try {
                String[] fields = Files.readString(file).strip().split(" ", -1);
                return Optional.of(new Noted(
                        file,
                        new Place(fields[0], fields[1]),
                        Long.parseLong(fields[2]),
                        Long.parseLong(fields[3]),
                        Long.parseLong(fields[4]),
                        Long.parseLong(fields[5])));
            } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
                return Optional.empty();
            }
        }

        static boolean isAlive(long pid, long ticks) {
            return ProcessStatus.of(pid)
                    .filter(status -> status.startTicks() == ticks && status.isAlive())
                    .isPresent();
        }
    }

    /**
     * Ends the processes that have outlived their supervisors; returns a line about each that had to be ended.
     *
     * @throws IOException if the directory cannot be read
     */
    public List<String> endOrphans() throws IOException, InterruptedException {
        List<String> ended = new ArrayList<>();
        if (directory == null) {
            return ended;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    continue; // of an agent
                }
                Noted noted = Noted.read(file).orElse(null);
                if (noted == null || !noted.place().boot().equals(here.boot())) {
                    if (!file.toString().endsWith(UNFINISHED)) {
                        Files.deleteIfExists(file);
                    }
                } else if (noted.place().equals(here) && !Noted.isAlive(noted.supervisor(), noted.supervisorTicks())) {
                    endOrphan(noted, ended);
                }
            }
        }
        return ended;
    }

    private static void endOrphan(Noted noted, List<String> ended) throws IOException, InterruptedException {
        // The handle reaches only the process that is there now, which is then compared.
        ProcessHandle leader = ProcessHandle.of(noted.pid()).orElse(null);
        boolean isThere = leader != null && Noted.isAlive(noted.pid(), noted.ticks());
        Family family = new Family(noted.file().getFileName().toString());
        List<ProcessHandle> members = family.members();
        if (isThere || !members.isEmpty()) {
            ended.add("process %d and its children have outlived their supervisor %d: they are ended"
                    .formatted(noted.pid(), noted.supervisor()));
        }
        if (leader != null && isThere) {
            leader.destroy(); // may have changed its environment, by which the others are found
        }
        family.end(() -> GRACE);
        if (leader != null && isThere) {
            leader.destroyForcibly();
        }
        Files.deleteIfExists(noted.file());
    }
}
