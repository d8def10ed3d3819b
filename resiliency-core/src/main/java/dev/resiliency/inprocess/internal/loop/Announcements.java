package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.jfr.EntryEvent;
import dev.resiliency.inprocess.internal.jfr.FaultEvent;
import dev.resiliency.inprocess.internal.jfr.FlightRecording;
import dev.resiliency.inprocess.internal.jfr.IterationEvent;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.rank.World;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/**
 * Reports what happens on this rank to the operator's log, the listener and the flight recorder. Confined to the
 * monitor thread.
 */
public final class Announcements {
    /** The maximum number of faults in a line. */
    private static final int SHOWN = 5;

    private final Logger log;
    private final Logger transitions;
    private final LogPrefix prefix;
    private final RestartListener listener;
    private final boolean isOfJob;
    /** Until it is logged. */
    private @Nullable Failure failure;

    /** Which step of the user's code has thrown what. */
    private record Failure(String step, Throwable thrown) {}

    private Announcements(Logger log, Logger transitions, LogPrefix prefix, RestartListener listener, boolean isOfJob) {
        this.log = log;
        this.transitions = transitions;
        this.prefix = prefix;
        this.listener = listener;
        this.isOfJob = isOfJob;
    }

    /** Announces the events of a job. */
    public static Announcements of(Logger log, LogPrefix prefix, RestartListener listener) {
        return new Announcements(log, LoggerFactory.getLogger(RestartLoop.class), prefix, listener, true);
    }

    /** Announces nothing to the log and the flight recorder, which are about jobs: for a warm-up. */
    public static Announcements ofWarmUp(LogPrefix prefix, RestartListener listener) {
        return new Announcements(NOPLogger.NOP_LOGGER, NOPLogger.NOP_LOGGER, prefix, listener, false);
    }

    LogPrefix prefix() {
        return prefix;
    }

    /** Returns whether to record events; a warm-up records none. */
    private boolean isRecorded() {
        return isOfJob && FlightRecording.isOn();
    }

    /** Begins an event of the flight recorder; returns null if it is not recorded. */
    @Nullable
    IterationEvent eventOf(State state) {
        return isRecorded() ? IterationEvent.begin(state) : null;
    }

    /** Begins the event of the entry into the function; returns null if it is not recorded. */
    @Nullable
    EntryEvent entryOf(State state) {
        return isRecorded() ? EntryEvent.begin(state) : null;
    }

    /** Reports a change of stage. */
    void moved(LoopState from, LoopState to) {
        transitions.debug("{} {} -> {}", prefix, from, to);
    }

    /** Reports faults that this rank records and that interrupt the iteration. */
    void recorded(State state, List<Interruption> faults) {
        if (isRecorded()) {
            for (Interruption fault : faults) {
                FaultEvent.record(state, fault.rank(), fault.kind(), fault.message());
            }
        }
    }

    /** Reports why ranks have left before the first iteration, if any have. */
    void startsWithout(List<Interruption> gone) {
        if (!gone.isEmpty()) {
            String more = gone.size() > SHOWN ? "; and " + (gone.size() - SHOWN) + " more" : "";
            log.warn(
                    "{} the job starts without ranks that have left it: {}{}",
                    prefix,
                    gone.stream().limit(SHOWN).map(Interruption::toString).collect(Collectors.joining("; ")),
                    more);
        }
    }

    void iterationStarted(State state) {
        prefix.enter(state);
        if (state.iteration() == 0) {
            log.info("{} joined a job of {} ranks as {}", prefix, state.worldSize(), role(state));
        }
        notifyListener(each -> each.iterationStarted(state));
    }

    /**
     * Notes what the function, or a step before it, threw. It is logged with the next line: the first stack trace of a
     * process may take tens of milliseconds to log, while the whole job waits for this rank.
     */
    void failed(String step, Throwable thrown) {
        failure = new Failure(step, thrown);
    }

    /** Logs a failure that was noted. For a restart that takes long or never ends. */
    void flush() {
        if (failure != null) {
            log.warn("{} the " + failure.step() + " failed; all ranks restart", prefix, failure.thrown());
            failure = null;
        }
    }

    /** Reports that this rank pauses before the next iteration, which leaves time to log the failure. */
    void backsOff(int failuresInARow, Duration pause) {
        flush();
        log.warn(
                "{} failed {} times in a row, each time within {} s and without a ping: pausing for {} ms before the restart",
                prefix,
                failuresInARow,
                BackOff.AT_ONCE.toSeconds(),
                pause.toMillis());
    }

    /** Reports how long this rank has been waiting for others. */
    void waits(Duration elapsed, String what, String who) {
        log.info("{} has waited {} s for others to {}: {}", prefix, elapsed.toSeconds(), what, who);
    }

    /** Reports why the others have declared this rank dead. From any thread. */
    void declaredDead(Interruption because) {
        log.warn("{} was declared dead: {}", prefix, because);
    }

    void restarted(RestartReport report, RestartTimer timer) {
        flush();
        State state = report.state();
        prefix.enter(state);
        log.info("{} {}; now {} in a world of {}", prefix, report, role(state), state.worldSize());
        notifyListener(each -> each.restarted(report));
        if (isRecorded()) {
            timer.record(report);
        }
    }

    /** Logs why this rank's role has changed; does nothing if the text is empty. */
    void roleChanged(String change) {
        if (!change.isEmpty()) {
            log.info("{} {}", prefix, change);
        }
    }

    /** Reports what this rank, as the leader, has decided for all. */
    void assigned(int k, World before, World after) {
        log.debug("{} assigns the ranks of iteration {}:{}", prefix, k, new WorldTable(before, after));
    }

    void completed(State state) {
        flush();
        log.info("{} completed, as all active ranks have", prefix);
        notifyListener(each -> each.completed(state));
    }

    void leaving(State state, Throwable reason) {
        flush();
        log.info("{} leaves the job: {}", prefix, Faults.reasonOf(reason));
        if (isRecorded() && Faults.isNewsToOthers(reason)) {
            FaultEvent.record(state, state.initialRank(), Faults.kindOfLeaving(reason), Faults.textOf(reason));
        }
        notifyListener(each -> each.leaving(state, reason));
    }

    private static String role(State state) {
        return state.isActive()
                ? "active rank " + state.activeRank() + " of " + state.activeWorldSize()
                : "reserve behind " + state.activeWorldSize() + " active ranks";
    }

    @SuppressWarnings("CatchingUnchecked") // a listener only observes: whatever it throws has no effect
    private void notifyListener(Consumer<RestartListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable thrown) {
            log.warn("{} the restart listener failed; the restart loop continues", prefix, thrown);
        }
    }
}
