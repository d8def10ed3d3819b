package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.inprocess.internal.watch.Supervision.Watched;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where the thread of a function stands when the job hangs.
 *
 * @param more what else is known: {@code , 212 pings}
 */
public record WhereItStands(Standing standing, String more) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Looks where it stands now. From any thread. */
    public static WhereItStands of(Watched watched) {
        IterationCall call = watched.call();
        Thread thread = watched.thread();
        Standing standing = Standing.of(thread.getState(), thread.getStackTrace());
        String deadlock = deadlockOf(thread);
        if (deadlock != null) {
            return new WhereItStands(standing.in(Activity.DEADLOCK), ": " + deadlock + position(call));
        }
        boolean isTold = call != null && call.isWaitingForPeers();
        return new WhereItStands(isTold ? standing.in(Activity.PEERS) : standing, position(call));
    }

    /** @param start of the text, such as how long it has made no progress */
    Statement statement(String start) {
        return new Statement(standing, standing.text(start, more));
    }

    /**
     * Returns where it stands when another rank has found a hang; null if that says nothing: it has pinged a short time ago, waits
     * only for a short time, or has just ended. Of a silent thread the watchdog knows it, so that no restart waits for a look.
     *
     * @param silence since when it makes no progress; null if it makes some
     */
    static @Nullable Statement whenAsked(Watched watched, @Nullable Silence silence, long now) {
        if (silence != null) {
            return silence.where().standing().frames().isEmpty() ? null : silence.statement(now, "");
        }
        IterationCall call = watched.call();
        if (call == null || !call.hasBegun() || (call.pings() > 0 && !call.isWaitingForPeers())) {
            return null;
        }
        WhereItStands where = of(watched);
        boolean isShortWait = where.standing().activity().isForOthers() && !call.isWaitingForPeers();
        return isShortWait || where.standing().frames().isEmpty()
                ? null
                : new WhereItStands(where.standing().busy(), where.more())
                        .statement("others make no progress, and it ");
    }

    private static String position(@Nullable IterationCall call) {
        if (call == null) {
            return "";
        }
        return call.safePoints().isUsed() ? ", step " + call.safePoints().latest() : ", " + call.pings() + " pings";
    }

    /** Returns the locks by which this thread waits for itself; null if it does not. */
    private static @Nullable String deadlockOf(Thread thread) {
        Thread.State state = thread.getState();
        long[] found =
                state == Thread.State.BLOCKED || state == Thread.State.WAITING ? THREADS.findDeadlockedThreads() : null;
        if (found == null) {
            return null;
        }
        Map<Long, ThreadInfo> deadlocked = Arrays.stream(THREADS.getThreadInfo(found))
                .filter(info -> info != null)
                .collect(Collectors.toMap(ThreadInfo::getThreadId, Function.identity()));
        @SuppressWarnings("deprecation") // threadId() does not exist in 17
        ThreadInfo own = deadlocked.get(thread.getId());
        ThreadInfo owner = own == null ? null : deadlocked.get(own.getLockOwnerId());
        if (own == null || owner == null) {
            return null;
        }
        return "it waits for %s, which thread %s holds, and that one for %s"
                .formatted(name(own.getLockInfo()), owner.getThreadName(), name(owner.getLockInfo()));
    }

    private static String name(@Nullable LockInfo lock) {
        return lock == null ? "a lock" : lock.toString();
    }
}
