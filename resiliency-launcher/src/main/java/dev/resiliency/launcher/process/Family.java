package dev.resiliency.launcher.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The processes whose environment has the mark of a supervised process: that process, and all that it has started in turn,
 * whoever has adopted them. Ids alone would not do, since they are used again.
 */
final class Family {
    private static final long POLL_MILLIS = 50;
    /** How long the kernel may take to end what was killed; more means that a device holds it. */
    private static final Duration KILL_LIMIT = Duration.ofSeconds(5);

    private final String mark;

    Family(String mark) {
        this.mark = mark;
    }

    /** Returns those that live. */
    List<ProcessHandle> members() throws IOException {
        List<ProcessHandle> members = new ArrayList<>();
        for (ProcessStatus status : ProcessStatus.all()) {
            // The handle remembers when its process started, and reaches no later one of the same id. So it is taken
            // first.
            Optional<ProcessHandle> handle = ProcessHandle.of(status.pid());
            if (status.isAlive() && handle.isPresent() && status.hasVariable(ChildProcess.MARK, mark)) {
                members.add(handle.get());
            }
        }
        return members;
    }

    /** Returns whether a process is a member. */
    boolean has(long pid) throws IOException {
        ProcessStatus status = ProcessStatus.of(pid).orElse(null);
        return status != null && status.isAlive() && status.hasVariable(ChildProcess.MARK, mark);
    }

    /** Waits until all members have ended, for so long at most; returns how many have not. */
    int awaitEnd(Duration limit) throws IOException, InterruptedException {
        long start = System.nanoTime();
        int living = members().size();
        while (living > 0 && System.nanoTime() - start < limit.toNanos()) {
            Thread.sleep(POLL_MILLIS);
            living = members().size();
        }
        return living;
    }

    /**
     * Ends all members: with SIGTERM, and after the grace with SIGKILL. Returns when they have ended, or a few seconds after
     * SIGKILL.
     *
     * @param grace asked for again and again, since it may get shorter
     */
    void end(Supplier<Duration> grace) throws IOException, InterruptedException {
        List<ProcessHandle> members = members();
        members.forEach(ProcessHandle::destroy);
        long start = System.nanoTime();
        while (!members.isEmpty()) {
            Duration passed = Duration.ofNanos(System.nanoTime() - start);
            if (passed.compareTo(grace.get()) >= 0) {
                members.forEach(ProcessHandle::destroyForcibly);
            }
            if (passed.compareTo(grace.get().plus(KILL_LIMIT)) > 0) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
            members = members();
        }
    }
}
