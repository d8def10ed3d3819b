package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.watch.Supervision.Watched;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.monitor.spi.StampWriter;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the heartbeats of the thread that runs user code, stamps them for the monitor process and for an agent, and reports a hang when
 * one of them is older than the soft timeout. Both judge the age of a heartbeat by {@link HeartbeatAge}, and how long
 * they did not run themselves by {@link PauseDetector}. A duty cycle: all fields belong to the thread that calls
 * {@link #step}.
 */
public final class ProgressWatchdog {
    private static final int STALLS_PER_TIMEOUT = 3;

    private final Supplier<@Nullable Watched> target;
    private final BiConsumer<Thread, Statement> onHang;
    private final Consumer<Thread> onStall;
    private final Consumer<@Nullable Silence> onSilence;
    private final Function<Thread, OptionalLong> excusedUntil;
    private final @Nullable HeartbeatFile file;
    private final StampWriter stamps;
    private final MemoryGauge memory;
    private final Clock clock;
    private final Supplier<@Nullable ThreadControl> control;
    private final Duration interval;
    private final Duration softTimeout;

    private @Nullable Watched watched;
    private @Nullable ThreadProgress progress;
    private final HeartbeatAge automatic;
    /** Null while it is not in use: before the function has pinged. */
    private @Nullable HeartbeatAge manual;

    private final PauseDetector pauses;
    private long pings;
    /** Whether the present lack of progress was reported. */
    private boolean isStalled;
    /** The last iteration whose function this watchdog has checked. */
    private int seen = HeartbeatFile.NONE;

    private long lastStep;

    /** Creates a watchdog; {@code control} is first called when a thread is watched, as it may take a while to load. */
    public ProgressWatchdog(
            Supplier<@Nullable Watched> target,
            BiConsumer<Thread, Statement> onHang,
            Consumer<Thread> onStall,
            Consumer<@Nullable Silence> onSilence,
            Function<Thread, OptionalLong> excusedUntil,
            @Nullable HeartbeatFile file,
            StampWriter stamps,
            MemoryGauge memory,
            Clock clock,
            Supplier<@Nullable ThreadControl> control,
            Duration interval,
            Duration softTimeout) {
        this.target = target;
        this.onHang = onHang;
        this.onStall = onStall;
        this.onSilence = onSilence;
        this.excusedUntil = excusedUntil;
        this.file = file;
        this.stamps = stamps;
        this.memory = memory;
        this.clock = clock;
        this.control = control;
        this.interval = interval;
        this.softTimeout = softTimeout;
        this.lastStep = clock.nanoTime();
        this.automatic = new HeartbeatAge(lastStep);
        this.pauses = new PauseDetector(lastStep, interval, softTimeout);
    }

    /** Returns after what part of the soft timeout it is found out for whom a thread waits that makes no progress. */
    public static Duration stallTimeout(Duration softTimeout) {
        return softTimeout.dividedBy(STALLS_PER_TIMEOUT);
    }

    /**
     * Checks once, which takes up to an interval while the thread is in a native function.
     *
     * @return the nanoseconds until the next one is due
     */
    public long step() {
        long now = clock.nanoTime();
        long paused = pauses.check(now);
        lastStep = now;

        Watched current = target.get();
        if (!isSame(current, watched)) {
            watched = current;
            progress = current == null ? null : new ThreadProgress(current.thread(), control.get());
            manual = null;
            pings = 0;
            isStalled = false;
        }
        if (current == null || progress == null) {
            automatic.beat(now);
            stamps.rest();
        } else {
            check(current, progress, now, paused);
        }
        if (file != null) {
            file.stamp(
                    seen,
                    heldToSoftTimeout(current),
                    automatic.since(),
                    manual == null ? HeartbeatFile.NEVER : manual.since());
        }
        memory.step();
        return untilNextCheck(clock.nanoTime());
    }

    /** Not by the equals of a record, which the JVM links on first use, for milliseconds. */
    private static boolean isSame(@Nullable Watched one, @Nullable Watched other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.thread() == other.thread() && one.call() == other.call();
    }

    /** Returns the time until the next check; a report may be due before the interval ends. */
    private long untilNextCheck(long now) {
        long regular = lastStep + interval.toNanos() - now;
        long report = untilReport(now);
        return Math.max(0, watched != null && report > 0 ? Math.min(regular, report) : regular);
    }

    private void check(Watched current, ThreadProgress thread, long start, long paused) {
        IterationCall call = current.call();
        if (call != null) {
            seen = call.state().iteration();
        }
        boolean isProtected = call == null || !call.isHangProtectionPaused();
        automatic.discount(paused);
        if (manual != null) {
            manual.discount(paused);
        }
        if (thread.sample()
                || !isProtected
                || thread.returnsFromNative(longestCheck(start), () -> current.equals(target.get()))) {
            automatic.beat(clock.nanoTime());
        }
        long now = clock.nanoTime();
        checkPings(call, now, isProtected);
        excusedUntil.apply(current.thread()).ifPresent(this::excuse);
        noteStall(current, now);
        if (oldest(now) >= softTimeout.toNanos()) {
            Silence silence = silence(current, now, softTimeout);
            onHang.accept(current.thread(), silence.statement(now, memory.note().remark()));
        }
    }

    /** Returns why the thread is silent: it has made no progress for so long, or has not pinged while it did. */
    private Silence silence(Watched current, long now, Duration limit) {
        WhereItStands where = WhereItStands.of(current);
        return manual == null || now - automatic.silentSince() >= limit.toNanos()
                ? new Silence(current.thread(), "made no progress", automatic.silentSince(), where)
                : new Silence(current.thread(), "did not ping", manual.silentSince(), where);
    }

    /** The thread waits for another rank, so its silence until then says nothing, neither here nor to anyone outside. */
    private void excuse(long until) {
        if (until - automatic.since() > 0) {
            stamps.renew();
        }
        automatic.excuse(until);
        if (manual != null) {
            manual.excuse(until);
        }
    }

    private void noteStall(Watched current, long now) {
        Duration limit = stallTimeout(softTimeout);
        boolean stalls = current.call() != null && oldest(now) >= limit.toNanos();
        if (stalls && !isStalled) {
            onStall.accept(current.thread());
        }
        isStalled = stalls;
        boolean isSilent = current.call() != null && now - silentSince() >= limit.toNanos();
        onSilence.accept(isSilent ? silence(current, now, limit) : null);
    }

    /** An excuse changes nothing about it: others may ask where the thread stands. */
    private long silentSince() {
        long since = automatic.silentSince();
        return manual == null || manual.silentSince() - since > 0 ? since : manual.silentSince();
    }

    private long oldest(long now) {
        return manual == null ? automatic.at(now) : Math.max(automatic.at(now), manual.at(now));
    }

    private void checkPings(@Nullable IterationCall call, long now, boolean isProtected) {
        long nowPings = call == null ? 0 : call.pings();
        if (nowPings != pings) {
            pings = nowPings;
            manual = new HeartbeatAge(now);
            stampPing(call);
        } else if (manual != null && !isProtected) {
            manual.beat(now);
        }
        if (call == null || !isProtected) {
            stamps.renew(); // a hook cannot ping
        }
    }

    private void stampPing(@Nullable IterationCall call) {
        if (call != null && call.safePoints().isUsed()) {
            stamps.passed(call.safePoints().latest());
        } else {
            stamps.heartbeat();
        }
    }

    /** Returns the iteration that the monitor process may interrupt by these stamps. */
    private static int heldToSoftTimeout(@Nullable Watched current) {
        IterationCall call = current == null ? null : current.call();
        return call == null || call.isHangProtectionPaused()
                ? HeartbeatFile.NONE
                : call.state().iteration();
    }

    /** Returns the limit of a check: an interval, or the time until a report may be due. */
    private Duration longestCheck(long now) {
        return Duration.ofNanos(Math.max(0, Math.min(interval.toNanos(), untilReport(now))));
    }

    /** Returns the nanoseconds until the older heartbeat reaches the soft timeout; negative if it has. */
    private long untilReport(long now) {
        return softTimeout.toNanos() - oldest(now);
    }
}
