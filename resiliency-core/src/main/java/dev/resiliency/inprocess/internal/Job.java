package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.DutyCycle;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.loop.Announcements;
import dev.resiliency.inprocess.internal.loop.LoopState;
import dev.resiliency.inprocess.internal.loop.RestartLoop;
import dev.resiliency.inprocess.internal.monitor.MonitorProcess;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.HangProtection;
import dev.resiliency.inprocess.internal.watch.HeartbeatFile;
import dev.resiliency.inprocess.internal.watch.ProgressWatchdog;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a wrapper: starts the threads and processes of its rank, runs the restart loop to its end, and leaves
 * nothing behind.
 *
 * <p>The caller's thread waits here. The loop has its own thread, so an interrupt of the caller does not hit it: it
 * becomes one of the reasons for which the rank leaves.
 */
public final class Job<R> {
    /** The logger under which operators find what happens on a rank. */
    private static final Logger LOG = LoggerFactory.getLogger("dev.resiliency.inprocess");

    private final Settings settings;
    private final RestartableFunction<R> function;
    private final int call;
    /** True once the thread of the restart loop has started. Confined to the caller. */
    private boolean hasJoined;

    /** Creates the {@code call}th call of a wrapper in this process, counted from 0. */
    public Job(Settings settings, RestartableFunction<R> function, int call) {
        this.settings = HangProtection.isOn() ? settings : unprotected(settings);
        this.function = function;
        this.call = call;
    }

    private static Settings unprotected(Settings settings) {
        LOG.warn(
                "{} hang protection is off, as this process was started for debugging: softTimeout and hardTimeout do"
                        + " not apply; -D{}=true turns it on",
                new LogPrefix(settings.environment()),
                HangProtection.PROPERTY);
        return settings.withoutHangLimits();
    }

    /** Returns what the function returned, null on a reserve, or throws why this rank left. */
    public @Nullable R run() throws InterruptedException {
        SilentLog.warnOnce();
        if (!settings.monitorProcess()) {
            return runIn(openStore(), null, null);
        }
        RankMonitoring monitoring = null;
        MonitorProcessException unmonitored = null;
        try {
            monitoring = RankMonitoring.start(settings);
        } catch (MonitorProcessException e) {
            unmonitored = e; // the others must learn it, so this rank opens the store nevertheless
        }
        SessionStore store;
        try {
            store = openStore();
        } catch (RuntimeException | Error | InterruptedException e) {
            if (monitoring != null) {
                monitoring.close();
            }
            if (unmonitored != null) {
                unmonitored.addSuppressed(e);
                throw unmonitored;
            }
            throw e;
        }
        return runIn(store, monitoring, unmonitored);
    }

    private SessionStore openStore() throws InterruptedException {
        return settings.store().open(settings.environment(), call);
    }

    /**
     * Runs the call in this session, and ends it.
     *
     * @param unmonitored why there is no monitor process; null if there is, or need be none
     */
    private @Nullable R runIn(
            SessionStore store, @Nullable RankMonitoring monitoring, @Nullable MonitorProcessException unmonitored)
            throws InterruptedException {
        Membership membership = new Membership(
                restartStore(store, List.of()), settings.environment().rank());
        boolean left = true;
        try {
            String run = membership.claim(settings);
            if (unmonitored != null) {
                throw unmonitored;
            }
            R result = runAsMember(membership, store, run, monitoring);
            left = false;
            return result;
        } catch (RuntimeException | Error | InterruptedException e) {
            membership.leave(e);
            throw e;
        } finally {
            try {
                if (monitoring != null) {
                    monitoring.end(membership.isOver());
                }
            } finally {
                membership.abandonUnlessOver(store);
                if (left) {
                    settings.store()
                            .leave(store, !hasJoined && settings.environment().worldSize() > 1);
                } else {
                    store.close();
                }
            }
        }
    }

    private RestartStore restartStore(SessionStore store, List<String> keys) {
        Environment environment = settings.environment();
        return new RestartStore(
                new PrefixStore(prefix(call), store), environment.rank(), environment.worldSize(), keys);
    }

    /** Joins the job; if others depend on this rank, only once its monitor process watches it. */
    @SuppressWarnings("try") // the warm-up only needs to be closed
    private @Nullable R runAsMember(
            Membership membership, SessionStore store, String run, @Nullable RankMonitoring monitoring)
            throws InterruptedException {
        if (monitoring == null) {
            return runWatched(membership, store, null);
        }
        monitoring.watch(store, prefix(call), run);
        try (WarmUp warmUp = settings.warmUp() ? WarmUp.begin() : null) {
            if (settings.environment().worldSize() > 1) {
                monitoring.process().awaitReady();
            }
            return runWatched(membership, store, monitoring);
        }
    }

    @SuppressWarnings("try") // the watchdog only needs to be closed
    private @Nullable R runWatched(Membership membership, SessionStore store, @Nullable RankMonitoring monitoring)
            throws InterruptedException {
        Environment environment = settings.environment();
        HeartbeatFile heartbeats = monitoring == null ? null : monitoring.heartbeats();
        RestartStore restartStore = restartStore(store, GroupKeys.of(settings.rankAssignment(), environment));
        Waker waker = new Waker();
        RestartLoop<R> loop = RestartLoop.start(
                settings,
                restartStore,
                new UserCode<>(settings.hooks(), function, environment.rank(), waker::wake),
                Clock.SYSTEM,
                waker,
                Announcements.of(
                        LOG, new LogPrefix(environment), settings.hooks().listener()),
                heartbeats == null
                        ? iteration -> {}
                        : iteration -> heartbeats.enter(iteration, Clock.SYSTEM.nanoTime()));
        store.onLost(loop::raise);
        if (monitoring != null) {
            MonitorProcess monitor = monitoring.process();
            if (store.address() != null) { // else the monitor process could not renew the lease
                monitor.onReady(
                        () -> restartStore.member().lease(settings.timings().lease()));
            }
            monitor.onLost(loop::raise);
        }
        Timings timings = settings.timings();
        ProgressWatchdog watchdog = new ProgressWatchdog(
                loop.supervision()::watched,
                loop.supervision()::reportHang,
                heartbeats,
                Clock.SYSTEM,
                ThreadControl::find,
                timings.progressWatchdogInterval(),
                timings.softTimeout());
        // The loop is the last to start: its first step joins the job.
        try (DutyCycle watching =
                        DutyCycle.start("resiliency-watchdog-r" + environment.rank(), watchdog::step, new Waker());
                DutyCycle looping = DutyCycle.start(
                        "resiliency-monitor-r" + environment.rank(),
                        () -> {
                            long nanos = loop.step();
                            return loop.state() == LoopState.CLOSED ? DutyCycle.END : nanos;
                        },
                        waker)) {
            hasJoined = true;
            return await(loop, looping);
        } finally {
            membership.enter(loop.iteration());
            if (loop.isEndKnown()) {
                membership.end();
            }
        }
    }

    /** Waits for the end of the loop despite interrupts, and restores the interrupt status. */
    private static <R> @Nullable R await(RestartLoop<R> loop, DutyCycle looping) throws InterruptedException {
        boolean interrupted = false;
        for (boolean ended = false; !ended; ) {
            try {
                looping.awaitEnd();
                ended = true;
            } catch (InterruptedException e) {
                interrupted = true;
                loop.raise(new InterruptedException(
                        "the caller of the wrapper was interrupted, so its rank left the job"));
            }
        }
        Throwable departure = loop.departure();
        if (departure instanceof InterruptedException interrupt) {
            throw interrupt;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (departure instanceof RuntimeException exception) {
            throw exception;
        }
        if (departure instanceof Error error) {
            throw error;
        }
        if (departure != null) {
            throw new ResiliencyException("this rank left its job: " + departure, departure);
        }
        if (loop.state() != LoopState.CLOSED) {
            throw new ResiliencyException(
                    "the restart loop ended before its job; this is a defect of the library", null);
        }
        return loop.result();
    }

    /** Returns the prefix of the keys of one call, which keeps them apart from those of other calls. */
    static String prefix(int call) {
        return "call-" + call;
    }
}
