package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Elasticity.Admission.Kind;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.JobCompleteException;
import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.TooFewRanksException;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.DutyCycle;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.loop.Announcements;
import dev.resiliency.inprocess.internal.loop.LoopState;
import dev.resiliency.inprocess.internal.loop.Probation;
import dev.resiliency.inprocess.internal.loop.RestartLoop;
import dev.resiliency.inprocess.internal.monitor.MonitorProcess;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.JobPrefix;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.Succession;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.HangProtection;
import dev.resiliency.inprocess.internal.watch.HeartbeatFile;
import dev.resiliency.inprocess.internal.watch.MemoryGauge;
import dev.resiliency.inprocess.internal.watch.ProgressWatchdog;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.KeptObjects;
import dev.resiliency.inprocess.internal.worker.LeavingOnPurpose;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.StampWriter;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One call of a wrapper: starts the threads and processes of its rank, runs the restart loop to its end, and leaves
 * nothing behind.
 *
 * <p>The caller's thread waits here. The loop has its own thread, so an interrupt of the caller does not hit it: it
 * becomes one of the reasons for which the rank leaves.
 *
 * <p>Threads, until the call ends: {@code resiliency-monitor-r3}, which steps the restart loop and runs no user code but
 * the listener; {@code resiliency-watchdog-r3}, which measures the progress of user code and writes time stamps.
 */
public final class Job<R> {
    /** The logger under which operators find what happens on a rank. */
    private static final Logger LOG = SafeLog.of("dev.resiliency.inprocess");

    /** How long a process for which others wait has been in the job before it warms up. */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    /** How often the processes of this node have been started again: of torchrun, and of our agents. */
    private static final String RESTARTS_BEFORE = "TORCHELASTIC_RESTART_COUNT";

    private final Settings settings;
    private final RestartableFunction<R> function;
    private final int call;
    private final LeaveSignals leaveSignals;
    private final Whereabouts whereabouts;
    /** Used by the restart loop of one attempt at a time. */
    private final Probation probation = new Probation();
    /** True once the thread of the restart loop has started. Confined to the caller. */
    private boolean hasJoined;
    /** True once this process has been a member in an iteration. Written by the restart loop. */
    private volatile boolean hasEntered;
    /** Null if the job ends with its store. Confined to the caller. */
    private @Nullable Refounder refounder;
    /** Null before the first attempt has a session. Confined to the caller. */
    private @Nullable StartNotice start;
    /** What the function keeps, also when this process follows its agent to another store. */
    private final KeptObjects kept = new KeptObjects();

    /** Creates the {@code call}th call of a wrapper in this process, counted from 0. */
    public Job(Settings settings, RestartableFunction<R> function, int call) {
        this.settings = HangProtection.isOn() ? settings : unprotected(settings);
        this.function = function;
        this.call = call;
        this.whereabouts = new Whereabouts(this.settings, call);
        this.leaveSignals = new LeaveSignals(
                settings.leaveOn(),
                settings.timings().terminationGraceTime(),
                LogPrefix.of(settings.environment()),
                Runtime.getRuntime()::exit);
    }

    private static Settings unprotected(Settings settings) {
        LOG.warn(
                "{} hang protection is off, as this process was started for debugging: softTimeout and hardTimeout do"
                        + " not apply; -D{}=true turns it on",
                LogPrefix.of(settings.environment()),
                HangProtection.PROPERTY);
        return settings.withoutHangLimits();
    }

    /**
     * Returns what the function returned, null on a reserve, on a rank that leaves on purpose or if the job is
     * complete, or throws why this rank left.
     */
    @SuppressWarnings("try") // the signals only need to be closed
    public @Nullable R run() throws InterruptedException {
        SilentLog.warnOnce();
        StampWriter stamps = StampWriter.ofThisProcess();
        stamps.take(JobPart.MEMBER);
        stamps.reached(-1); // a call before has steps of its own
        JobPart part = JobPart.NONE;
        try (LeaveSignals signals = leaveSignals.begin()) {
            while (true) {
                Attempt<R> attempt;
                try {
                    attempt = attempt();
                } catch (StoreLostException lost) {
                    whereabouts.lookAgainAfter(lost);
                    attempt = new Attempt<>(null, false, true);
                }
                if (!attempt.comesAgain() || leaveSignals.isAsked()) {
                    part = attempt.comesAgain() || attempt.leftOnPurpose() ? JobPart.LEFT : JobPart.COMPLETED;
                    if (part == JobPart.COMPLETED && !hasEntered && settings.callNumber() != null) {
                        throw new JobCompleteException(settings.environment().jobId(), call);
                    }
                    return attempt.result();
                }
            }
        } catch (RestartAbort | TooFewRanksException over) {
            part = JobPart.GIVEN_UP;
            throw over;
        } finally {
            stamps.take(part);
            kept.close();
            whereabouts.close();
        }
    }

    /**
     * The result of one attempt to take part in the job.
     *
     * @param leftOnPurpose whether this rank was asked to leave, and has
     * @param comesAgain whether this process was not admitted to the generation that it found, but may be to the next, or
     *     as a joiner; or has left to wait, and joins again
     */
    private record Attempt<R>(@Nullable R result, boolean leftOnPurpose, boolean comesAgain) {}

    private Attempt<R> attempt() throws InterruptedException {
        whereabouts.begin();
        if (!settings.monitorProcess()) {
            return runIn(whereabouts.open(), null, null);
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
            store = whereabouts.open();
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

    /**
     * Runs the call in this session, and ends it.
     *
     * @param unmonitored why there is no monitor process; null if there is, or need be none
     */
    private Attempt<R> runIn(
            SessionStore store, @Nullable RankMonitoring monitoring, @Nullable MonitorProcessException unmonitored)
            throws InterruptedException {
        Membership membership = new Membership(jobStore(store), settings);
        boolean left = true;
        whereabouts.comeTo(store, monitoring != null);
        try (StartNotice notice = StartNotice.begin(LogPrefix.of(settings.environment()))) {
            start = notice;
            Optional<Identity> identity =
                    membership.enroll(settings.elasticity().admission().kind() != Kind.NEVER);
            if (identity.isEmpty()) {
                LOG.warn(
                        "{} the job {} is complete, so this process has nothing to do; to run it again on the same"
                                + " store, give it another id (RESILIENCY_JOB_ID)",
                        LogPrefix.of(settings.environment()),
                        settings.environment().jobId());
                left = false;
                return new Attempt<>(null, false, false);
            }
            if (unmonitored != null) {
                throw unmonitored;
            }
            whereabouts.enrol(identity.get());
            Attempt<R> result = runEnrolled(membership, store, identity.get(), monitoring);
            left = result.comesAgain();
            return result;
        } catch (RuntimeException | Error | InterruptedException e) {
            Throwable reason = Faults.reasonBehind(e);
            if (whereabouts.isOnItsWay() && reason instanceof StoreLostException) {
                membership.end(); // nobody waits for this process
            } else {
                membership.leave(reason);
            }
            if (reason instanceof ResiliencyException saysAll) {
                throw saysAll;
            }
            throw e;
        } finally {
            try {
                if (monitoring != null) {
                    monitoring.end(membership.isOver() || whereabouts.isLeftBehind());
                }
            } finally {
                Refounder moved = refounder;
                if (whereabouts.isLeftBehind()) {
                    store.abandon();
                } else {
                    membership.abandonUnlessOver(moved == null ? store : moved.current());
                }
                if (moved != null) {
                    moved.close(left);
                    refounder = null;
                }
                if (!whereabouts.keepsAsSignpost(store)) {
                    end(store, left);
                }
            }
        }
    }

    private void end(SessionStore store, boolean left) throws InterruptedException {
        if (left) {
            settings.store().leave(store, !hasJoined && settings.environment().worldSize() > 1);
        } else {
            store.close();
        }
    }

    private SessionStore jobStore(SessionStore store) {
        return new PrefixStore(prefix(settings.environment(), call), store);
    }

    /** Takes part in the job; if others depend on this rank, only once its monitor process watches it. */
    @SuppressWarnings("try") // the warm-up only needs to be closed
    private Attempt<R> runEnrolled(
            Membership membership, SessionStore store, Identity identity, @Nullable RankMonitoring monitoring)
            throws InterruptedException {
        if (monitoring == null) {
            return runWatched(membership, store, identity, null, null);
        }
        StoreAddress foundable = whereabouts.addressIfRefounded(store);
        whereabouts.stay(foundable);
        monitoring.watch(store, prefix(settings.environment(), call), identity);
        try (WarmUp warmUp = settings.warmUp() && !isAwaited(identity) ? WarmUp.begin(foundable != null) : null) {
            if (settings.environment().worldSize() > 1) {
                store.onLost(monitoring.process()::loseStart);
                monitoring.process().awaitReady();
            }
            return runWatched(membership, store, identity, monitoring, foundable);
        }
    }

    /** @param foundable see {@link Whereabouts#addressIfRefounded}; null also without a monitor process */
    @SuppressWarnings("try") // the notice, the watchdog and the warm-up only need to be closed
    private Attempt<R> runWatched(
            Membership membership,
            SessionStore store,
            Identity identity,
            @Nullable RankMonitoring monitoring,
            @Nullable StoreAddress foundable)
            throws InterruptedException {
        Environment environment = settings.environment();
        HeartbeatFile heartbeats = monitoring == null ? null : monitoring.heartbeats();
        List<String> groupKeys = GroupKeys.of(settings.rankAssignment(), environment);
        RestartStore restartStore = new RestartStore(jobStore(store), identity, groupKeys, whereabouts.host(foundable));
        Refounder moving = null;
        if (foundable != null && monitoring != null) {
            moving = Refounder.open(
                    settings,
                    prefix(environment, call),
                    foundable,
                    store,
                    restartStore,
                    groupKeys,
                    monitoring,
                    membership::move);
            refounder = moving;
        }
        Succession succession = moving;
        Supplier<RestartStore> latestStore = moving == null ? () -> restartStore : moving::view;
        Waker waker = new Waker();
        probation.begin();
        LogPrefix prefix = new LogPrefix(identity.rank(), identity.worldSize());
        StampWriter stamps = StampWriter.ofThisProcess();
        MemoryGauge memory = MemoryGauge.ofThisProcess(heartbeats, stamps);
        UserCode<R> userCode =
                new UserCode<>(settings.hooks(), function, identity.rank(), waker::wake, memory::ranOut, kept);
        stamps.join(identity.rank());
        RestartLoop<R> loop = RestartLoop.start(
                settings,
                restartStore,
                userCode,
                Clock.SYSTEM,
                waker,
                Announcements.of(LOG, prefix, settings.hooks().listener(), agentOf(stamps)),
                probation,
                succession,
                whereabouts.followsAgent(),
                state -> {
                    hasEntered = true;
                    if (heartbeats != null) {
                        heartbeats.enter(state.iteration(), Clock.SYSTEM.nanoTime());
                    }
                    stamps.enter(
                            state.iteration(),
                            identity.rank(),
                            state.isActive() ? OptionalInt.of(state.activeRank()) : OptionalInt.empty());
                });
        if (moving == null) {
            store.onLost(loop::raise);
        } else {
            moving.onLost(loop::raise);
        }
        leaveSignals.connect(prefix, loop::leave, loop::raise);
        if (monitoring != null) {
            MonitorProcess monitor = monitoring.process();
            if (store.address() != null) { // else the monitor process could not renew the lease
                monitor.onReady(
                        () -> restartStore.member().lease(settings.timings().lease()));
            }
            monitor.onLost(loop::raise);
            monitor.onEnding(why -> LastWords.print(prefix, why, loop.supervision()));
        }
        Timings timings = settings.timings();
        StallReport stalls = new StallReport(loop.supervision(), prefix);
        ProgressWatchdog watchdog = new ProgressWatchdog(
                loop.supervision()::watched,
                loop.supervision()::reportHang,
                stalls::report,
                loop.supervision()::reportSilence,
                loop.supervision()::excusedUntil,
                heartbeats,
                stamps,
                memory,
                Clock.SYSTEM,
                ThreadControl::find,
                timings.progressWatchdogInterval(),
                timings.softTimeout());
        long longestSleep =
                timings.softTimeout().dividedBy(2).toNanos(); // the monitor process watches the loop as well
        // The loop is the last to start: its first step joins the job.
        try (ShutdownNotice notice = ShutdownNotice.begin(
                        loop.supervision(), () -> latestStore.get().terminations(), identity.rank(), prefix);
                DutyCycle watching = DutyCycle.start(
                        "resiliency-watchdog-r" + identity.rank(),
                        () -> {
                            StoreLostException left = whereabouts.lossOfFollowed();
                            if (left != null) {
                                loop.raise(left);
                            }
                            return watchdog.step();
                        },
                        new Waker());
                DutyCycle looping = DutyCycle.start(
                        "resiliency-monitor-r" + identity.rank(),
                        () -> {
                            if (heartbeats != null) {
                                heartbeats.stampLoop(Clock.SYSTEM.nanoTime());
                            }
                            long nanos = Math.min(loop.step(), longestSleep);
                            return loop.state() == LoopState.CLOSED ? DutyCycle.END : nanos;
                        },
                        waker)) {
            hasJoined = true;
            endStart();
            try (WarmUp warmUp = isAwaited(identity) ? warmUpLater(looping, foundable != null) : null) {
                R result = await(loop, looping);
                whereabouts.learn(loop.elsewhere(), loop.isLeftBehind());
                if (loop.isLeftBehind()) {
                    if (hasEntered) {
                        kept.carry();
                    }
                    LOG.warn(
                            "{} the store of the job is lost: this process waits for its agent to say where it goes on",
                            prefix);
                }
                return new Attempt<>(result, loop.departure() instanceof LeavingOnPurpose, loop.comesAgain());
            }
        } finally {
            whereabouts.leave(loop.iteration());
            if (heartbeats != null) {
                heartbeats.stampLoop(HeartbeatFile.NEVER);
            }
            if (!loop.isLeftBehind()) {
                kept.close();
            }
            membership.enter(loop.iteration());
            if (loop.isEndKnown()) {
                membership.end();
            }
        }
    }

    private void endStart() {
        if (start != null) {
            start.close();
        }
    }

    /** Returns what the agent of this rank learns, which reads the stamps. */
    private static Announcements.Agent agentOf(StampWriter stamps) {
        return new Announcements.Agent() {
            @Override
            public void restarted(RestartReport report) {
                stamps.restarted(report);
            }

            @Override
            public void began(int iteration, long first, long before) {
                stamps.began(iteration, first, before);
            }
        };
    }

    /** Returns whether a job may stand still until this process is there. */
    private static boolean isAwaited(Identity identity) {
        return identity.isJoiner()
                || !System.getenv().getOrDefault(RESTARTS_BEFORE, "0").equals("0");
    }

    private @Nullable WarmUp warmUpLater(DutyCycle looping, boolean withLoss) {
        try {
            boolean warmsUp = settings.warmUp() && settings.monitorProcess() && !looping.awaitEnd(SETTLED);
            return warmsUp ? WarmUp.beginInBackground(withLoss) : null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // for the wait that follows, which makes the rank leave
            return null;
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
        if (departure instanceof LeavingOnPurpose) {
            return null;
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
            Throwable killer = looping.failure();
            throw killer == null
                    ? new ResiliencyException(
                            "the restart loop ended before its job; this is a defect of the library", null)
                    : Faults.whyItCannotGoOn(killer);
        }
        return loop.result();
    }

    /** Returns the prefix of the keys of one call, which keeps them apart from those of other jobs and other calls. */
    static String prefix(Environment environment, int call) {
        return JobPrefix.of(environment.jobId(), call);
    }
}
