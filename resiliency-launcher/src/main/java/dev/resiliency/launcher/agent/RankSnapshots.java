package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.process.ProcessState;
import dev.resiliency.launcher.status.RankSnapshot;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.OpenSection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What this agent knows of its processes, for whoever looks at the job. Confined to the thread of the agent. */
final class RankSnapshots {
    /** The two clocks are not read at once. */
    private static final double ROUNDING = 20;

    private final Supplier<NodeState> state;
    private final IntFunction<Optional<RankStamps>> stamps;
    private final LongSupplier wallClock;
    private final LongSupplier clock;
    /** The state of each process as it was read last, and since when it is in it. */
    private final Map<Integer, Seen> seen = new HashMap<>();

    private record Seen(ProcessState state, long pid, long since) {}

    /**
     * Creates the view of these processes.
     *
     * @param state of the node now
     * @param stamps reads what a process has stamped, by its number
     * @param clock of the stamps: {@link System#nanoTime}, or what stands for it
     */
    RankSnapshots(
            Supplier<NodeState> state,
            IntFunction<Optional<RankStamps>> stamps,
            LongSupplier wallClock,
            LongSupplier clock) {
        this.state = state;
        this.stamps = stamps;
        this.wallClock = wallClock;
        this.clock = clock;
    }

    /** Reads all. */
    List<RankSnapshot> read() {
        return state.get().processes().stream().map(this::read).toList();
    }

    private RankSnapshot read(NodeState.Slot process) {
        Seen last = seen.get(process.number());
        if (last == null || last.state() != process.state() || last.pid() != process.pid()) {
            last = new Seen(process.state(), process.pid(), wallClock.getAsLong());
            seen.put(process.number(), last);
        }
        RankSnapshot known = RankSnapshot.of(
                process.number(),
                process.rank().orElse(RankSnapshot.UNKNOWN),
                process.state().name().toLowerCase(Locale.ROOT),
                process.pid(),
                process.restarts(),
                last.since());
        return process.state().isAlive()
                ? stamps.apply(process.number())
                        .map(stamp -> with(known, stamp))
                        .orElse(known)
                : known;
    }

    private RankSnapshot with(RankSnapshot known, RankStamps stamp) {
        List<OpenSection> open = stamp.openSections();
        OpenSection innermost = open.isEmpty() ? null : open.get(open.size() - 1);
        return new RankSnapshot(
                known.process(),
                known.rank(),
                isJoining(known, stamp) ? RankSnapshot.JOINING : known.state(),
                known.pid(),
                known.restarts(),
                known.since(),
                stamp.step().orElse(stamp.reached().orElse(RankSnapshot.UNKNOWN)),
                innermost == null ? "" : innermost.name(),
                innermost == null ? 0 : wallTime(innermost.since()),
                stamp.heartbeat() == 0 ? 0 : wallTime(stamp.heartbeat()),
                stamp.iteration().orElse(RankSnapshot.UNKNOWN),
                stamp.activeRank().orElse(RankSnapshot.UNKNOWN));
    }

    /** Its wrapper has been called, and the job has not taken it in yet. */
    private static boolean isJoining(RankSnapshot known, RankStamps stamp) {
        return known.state().equals("running")
                && stamp.part() == JobPart.MEMBER
                && stamp.iteration().isEmpty();
    }

    /** Rounded, so that the same time is the same number when it is read again. */
    private long wallTime(long nanos) {
        long millis = wallClock.getAsLong() - TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - nanos);
        return Math.round(millis / ROUNDING) * (long) ROUNDING;
    }
}
