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

/** Says where the thread of a function stands when the job hangs. */
final class WhereItStands {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private WhereItStands() {}

    /** @param silence how long it has made no progress; empty if it makes progress */
    static String of(Watched watched, String silence) {
        return text(standing(watched), watched, silence);
    }

    private static Standing standing(Watched watched) {
        IterationCall call = watched.call();
        Thread thread = watched.thread();
        Standing standing = Standing.of(thread.getState(), thread.getStackTrace());
        return call != null && call.isWaitingForPeers() ? standing.in(Activity.PEERS) : standing;
    }

    private static String text(Standing standing, Watched watched, String silence) {
        String position = position(watched.call());
        String deadlock = deadlockOf(watched.thread());
        return deadlock == null
                ? standing.text(silence, position)
                : standing.in(Activity.DEADLOCK).text(silence, ": " + deadlock + position);
    }

    /**
     * Returns where it stands when another rank has found a hang; null if that says nothing: it has pinged a short time ago, or waits
     * only for a short time.
     *
     * @param silence since when it makes no progress; null if it makes some
     */
    static @Nullable String whenAsked(Watched watched, @Nullable Silence silence, long now) {
        IterationCall call = watched.call();
        if (silence != null) {
            return of(watched, silence.since(now));
        }
        if (call == null || !call.hasBegun() || (call.pings() > 0 && !call.isWaitingForPeers())) {
            return null;
        }
        Standing standing = standing(watched);
        boolean isShortWait = standing.activity().isForOthers() && !call.isWaitingForPeers();
        return isShortWait ? null : text(standing, watched, "");
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
