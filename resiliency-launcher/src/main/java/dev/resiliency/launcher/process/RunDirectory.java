package dev.resiliency.launcher.process;

import dev.resiliency.store.spi.guard.OwnFiles;
import dev.resiliency.store.spi.guard.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A directory in which the supervisors of a user on this host note their processes, a small file each, so that the next
 * supervisor can end those which have outlived theirs. Safe for use by many threads.
 */
public final class RunDirectory {
    /** Of those that SIGTERM is to end. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final int LONGEST_NOTE = 1024;
    /** A mark, and what comes behind it while the note is not whole. */
    private static final Pattern NOTE = Pattern.compile("\\.?((\\d{1,18})-(\\d{1,18})-\\d+)(\\.\\w+\\.new)?");

    /** The id of no process. */
    static final long NOT_STARTED = 0;

    /** Null if there is none. */
    private final @Nullable PrivateDirectory directory;

    private final ProcessMark self;
    private final AtomicInteger entries = new AtomicInteger();

    private RunDirectory(@Nullable PrivateDirectory directory) throws IOException {
        this.directory = directory;
        self = ProcessMark.ofThisProcess();
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
     * Opens a directory; creates it if it does not exist. What is noted there is killed, so nobody else may write to it.
     *
     * @throws IOException if that is impossible, others may write to it, or the system is not Linux
     */
    public static RunDirectory open(Path directory) throws IOException {
        return new RunDirectory(PrivateDirectory.open(directory));
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
        return byDefault(System.getenv());
    }

    /** A path that is not absolute counts for nothing, as the specification of that variable has it. */
    static Path byDefault(Map<String, String> variables) {
        Path runtime = Path.of(variables.getOrDefault("XDG_RUNTIME_DIR", ""));
        return runtime.isAbsolute() && Files.isWritable(runtime)
                ? runtime.resolve("resiliency")
                : Path.of(System.getProperty("java.io.tmpdir"), "resiliency-" + System.getProperty("user.name"));
    }

    /** Returns where this process may keep more for those that come after it; empty if there is no directory. */
    public Optional<PrivateDirectory> directory() {
        return Optional.ofNullable(directory);
    }

    /** Returns a name for what one agent of this process keeps, which no other has. */
    public String newName() {
        return self + "_" + entries.getAndIncrement();
    }

    /** Returns whether this process has made this name. */
    public boolean isOfThisProcess(String name) {
        return name.startsWith(self + "_");
    }

    Entry newEntry() {
        return new Entry("%d-%d-%d".formatted(self.pid(), self.ticks(), entries.getAndIncrement()));
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
            try {
                OwnFiles.replace(directory.resolve(mark), "%s %d %d".formatted(self, pid, ticks));
            } catch (IOException e) {
                delete();
            }
        }

        void delete() {
            if (directory == null) {
                return;
            }
            try {
                OwnFiles.delete(directory.resolve(mark));
            } catch (IOException e) {
                // The next supervisor deletes it.
            }
        }
    }

    /** What a file of this directory says. */
    private record Noted(ProcessMark supervisor, long pid, long ticks) {
        static Optional<Noted> read(Path file) {
            try {
                String[] fields = OwnFiles.read(file, LONGEST_NOTE).split(" ", -1);
                return Optional.of(
                        new Noted(ProcessMark.parse(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2])));
            } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
                return Optional.empty();
            }
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
        for (String name : directory.files()) {
            Matcher matcher = NOTE.matcher(name);
            if (!matcher.matches()) {
                continue; // of somebody else
            }
            Noted noted = Noted.read(directory.resolve(name)).orElse(null);
            if (noted == null ? !isBeingWritten(matcher) : noted.supervisor().hasEnded(self)) {
                if (noted != null && noted.supervisor().boot().equals(self.boot())) {
                    endOrphan(noted, matcher.group(1), ended);
                }
                OwnFiles.delete(directory.resolve(name));
            }
        }
        return ended;
    }

    /** Returns whether a note that cannot be read is that of a supervisor which may just write it. */
    private static boolean isBeingWritten(Matcher note) {
        boolean isWhole = note.group(4) == null;
        return !isWhole && ProcessStatus.isAlive(Long.parseLong(note.group(2)), Long.parseLong(note.group(3)));
    }

    private static void endOrphan(Noted noted, String mark, List<String> ended)
            throws IOException, InterruptedException {
        // The handle reaches only the process that is there now, which is then compared.
        ProcessHandle leader = ProcessHandle.of(noted.pid()).orElse(null);
        boolean isThere = leader != null && ProcessStatus.isAlive(noted.pid(), noted.ticks());
        Family family = new Family(mark);
        List<ProcessHandle> members = family.members();
        if (isThere || !members.isEmpty()) {
            ended.add("process %d and its children have outlived their supervisor %d: they are ended"
                    .formatted(noted.pid(), noted.supervisor().pid()));
        }
        if (leader != null && isThere) {
            leader.destroy(); // may have changed its environment, by which the others are found
        }
        family.end(() -> GRACE);
        if (leader != null && isThere) {
            leader.destroyForcibly();
        }
    }
}
