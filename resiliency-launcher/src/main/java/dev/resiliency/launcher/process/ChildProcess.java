package dev.resiliency.launcher.process;

import dev.resiliency.launcher.process.ExitReason.Exited;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import dev.resiliency.store.spi.guard.Processes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A process and what it has started in turn: its family. Safe for use by many threads.
 *
 * <p>It ends with the thread that has started it, and so with this process: where the host allows that, see {@link
 * ProcessTools}. So the starting thread must live as long as the process may.
 *
 * <p>Thread: {@code resiliency-end-of-4711}, which waits for the end of that process and its family.
 */
public final class ChildProcess {
    /** An environment variable of the whole family, whoever adopts its members: names the supervisor and the process. */
    public static final String MARK = "RESILIENCY_SUPERVISED";

    /** How long the other members may live when the process itself has ended by itself. */
    private static final Duration LEFTOVER_GRACE = Duration.ofSeconds(5);

    /** After so many attempts to find the others without descriptors, the end of the process is reported all the same. */
    private static final int MOST_ATTEMPTS = 10;

    /** How long they may take to end by themselves when the process has ended without an error. */
    private static final Duration PARTING = Duration.ofSeconds(1);

    /** The standard input of a process that shares no streams. */
    private static final File NOTHING = new File("/dev/null");

    private final Process process;
    private final boolean hasGroup;
    private final Family family;
    private final RunDirectory.Entry entry;
    /** Whether the whole family is to end at once. Written by any thread, read by the one that waits for the end. */
    private volatile boolean isKilled;
    /** Written by the thread that waits for the end, read by any. */
    private volatile boolean hasEnded;

    /**
     * The end of a process.
     *
     * @param at when it has ended, on the clock of {@link System#nanoTime}; its family may have taken longer
     */
    public record End(ExitReason reason, long at) {}

    private ChildProcess(Process process, boolean hasGroup, Family family, RunDirectory.Entry entry) {
        this.process = process;
        this.hasGroup = hasGroup;
        this.family = family;
        this.entry = entry;
    }

    /**
     * Starts a process.
     *
     * @param sink receives what it writes; null if it shares the standard streams of this process
     * @param listener receives its end, on a thread of its own, when its family has ended, too
     * @throws NotStartedException if that is impossible; says why
     */
    public static ChildProcess start(
            ChildCommand what,
            ProcessTools tools,
            RunDirectory directory,
            @Nullable OutputSink sink,
            Consumer<End> listener)
            throws NotStartedException {
        // In the directory of this process, whatever its name: the JVM may not be able to write it.
        ProcessBuilder builder = new ProcessBuilder(
                tools.wrap(what.command(), ProcessHandle.current().pid()));
        if (sink == null) {
            builder.inheritIO();
        } else {
            builder.redirectInput(
                    sink.sharesInput() ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.from(NOTHING));
        }
        builder.environment().putAll(what.environment());
        RunDirectory.Entry entry = directory.newEntry();
        builder.environment().put(MARK, entry.mark());
        builder.environment()
                .putIfAbsent(JvmSuspension.VARIABLE, JvmSuspension.UNUSED); // so that it can handle SIGUSR2
        UserLocale.restore(builder.environment());
        NotStarted problem = UserLocale.problem(what.command())
                .or(() -> Programs.problem(
                        what.command().get(0),
                        Path.of(""),
                        builder.environment().getOrDefault("PATH", "")))
                .orElse(null);
        if (problem != null) {
            throw new NotStartedException(problem, null);
        }
        // Before it starts: a supervisor that is killed right after that leaves a process that the next one finds by
        // its mark.
        entry.write(RunDirectory.NOT_STARTED);
        Process process;
        try {
            process = Processes.start(builder);
        } catch (IOException e) {
            entry.delete();
            String why = String.valueOf(e.getMessage());
            throw new NotStartedException(
                    Shortage.isCauseOf(e) ? new Shortage(why) : new NotStarted(NotStarted.NOT_EXECUTABLE, why), e);
        } catch (OutOfMemoryError e) {
            throw withoutThread(entry, e); // Java waits for each process on a thread
        }
        entry.write(process.pid());
        ChildProcess child = new ChildProcess(process, tools.makesGroups(), new Family(entry.mark()), entry);
        try {
            if (sink != null) {
                sink.read(process.getInputStream(), process.getErrorStream());
            }
            Thread thread = new Thread(() -> child.awaitFamily(listener), "resiliency-end-of-" + process.pid());
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            process.destroyForcibly();
            throw withoutThread(entry, e);
        }
        return child;
    }

    /** The process may run already: nobody would notice its end. */
    private static NotStartedException withoutThread(RunDirectory.Entry entry, OutOfMemoryError e) {
        try {
            new Family(entry.mark()).members().forEach(ProcessHandle::destroyForcibly);
            entry.delete();
        } catch (IOException unreadable) {
            // The next supervisor finds the entry, and ends it.
        }
        return new NotStartedException(new Shortage(String.valueOf(e.getMessage())), e);
    }

    private void awaitFamily(Consumer<End> listener) {
        try {
            int code = process.waitFor();
            long at = System.nanoTime();
            OptionalInt left = endOthers(code);
            for (int attempt = 1; left.isEmpty() && attempt < MOST_ATTEMPTS; attempt++) {
                left = endOthersLater(code);
            }
            hasEnded = true;
            listener.accept(new End(left.orElse(0) == 0 ? ExitReason.of(code) : new Exited(code, left.getAsInt()), at));
            while (left.isEmpty()) {
                left = endOthersLater(code);
            }
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }

    private OptionalInt endOthersLater(int code) throws InterruptedException {
        Thread.sleep(Shortage.PAUSE.toMillis());
        return endOthers(code);
    }

    /**
     * Returns how many of them went on although the process has ended without an error: they may be what was to be supervised. Empty if
     * descriptors lack, so that it is not known whether there are any.
     */
    private OptionalInt endOthers(int code) throws InterruptedException {
        int left = 0;
        try {
            if (code == 0 && !isKilled) {
                left = family.awaitEnd(PARTING);
            }
            family.end(() -> isKilled ? Duration.ZERO : LEFTOVER_GRACE);
            entry.delete();
        } catch (IOException e) {
            if (Shortage.isCauseOf(e)) {
                return OptionalInt.empty();
            }
            // The next supervisor finds the entry, and tries again.
        }
        return OptionalInt.of(left);
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process and its family have ended. */
    public boolean hasEnded() {
        return hasEnded;
    }

    /**
     * Sends a signal to the process and its process group; does nothing if it has ended.
     *
     * @param name without {@code SIG}: {@code TERM}
     * @throws IOException if that is impossible
     */
    public void signal(String name) throws IOException, InterruptedException {
        if (!process.isAlive()) {
            return;
        }
        try {
            if (hasGroup) {
                Signals.toGroup(name, pid());
            } else {
                Signals.toProcess(name, pid());
            }
        } catch (IOException e) {
            if (!name.equals("TERM") || !Shortage.isCauseOf(e)) {
                throw e;
            }
            process.destroy(); // needs no shell
        }
    }

    /**
     * Sends a signal to those of the family that handle it: it would end the others.
     *
     * @param name without {@code SIG}
     * @return whether there are any
     * @throws IOException if that is impossible
     */
    public boolean pass(String name) throws IOException, InterruptedException {
        boolean any = false;
        for (ProcessHandle member : family.members()) {
            if (ProcessStatus.handles(member.pid(), name)) {
                Signals.toProcess(name, member.pid());
                any = true;
            }
        }
        return any;
    }

    /**
     * Returns whether a signal has suspended the process.
     *
     * @param jvm the process that is known to be the JVM; 0 if that is not known
     */
    public boolean isSuspended(long jvm) {
        return LongStream.of(jvm, pid())
                .filter(each -> each != 0)
                .mapToObj(ProcessStatus::of)
                .anyMatch(status -> status.filter(ProcessStatus::isSuspended).isPresent());
    }

    /**
     * Lets the process go on, if it is suspended, and its JVM write what its threads do to its standard output.
     *
     * @param jvm the process that is known to be the JVM; 0 if that is not known
     * @return whether there is a JVM
     */
    public boolean dumpThreads(long jvm) throws IOException, InterruptedException {
        signal("CONT");
        for (long each : new long[] {jvm, pid()}) {
            if (each != 0 && family.has(each) && ProcessStatus.isJvm(each)) {
                Signals.toProcess("QUIT", each);
                return true;
            }
        }
        boolean any = false;
        for (ProcessHandle member : family.members()) {
            if (ProcessStatus.isJvm(member.pid())) {
                Signals.toProcess("QUIT", member.pid());
                any = true;
            }
        }
        return any;
    }

    /** Ends the process at once with SIGKILL, and then its family. */
    public void kill() {
        isKilled = true;
        process.destroyForcibly();
    }
}
