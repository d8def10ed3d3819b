package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.jfr.EntryEvent;
import dev.resiliency.inprocess.internal.jfr.FaultEvent;
import dev.resiliency.inprocess.internal.jfr.IterationEvent;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.rank.World;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/**
 * Tells the operator, the listener and the flight recorder what happens on this rank: one line each, which make a story.
 * Confined to the monitor thread.
 */
public final class Announcements {
    private final Logger log;
    private final Logger transitions;
    private final LogPrefix prefix;
    private final RestartListener listener;
    private final boolean isRecorded;
    /** Until it is logged. */
    private @Nullable Failure failure;

    /** Which step of the user's code has thrown what. */
    private record Failure(String step, Throwable thrown) {}

    private Announcements(
            Logger log, Logger transitions, LogPrefix prefix, RestartListener listener, boolean isRecorded) {
        this.log = log;
        this.transitions = transitions;
        this.prefix = prefix;
        this.listener = listener;
        this.isRecorded = isRecorded;
    }

    /** Announces the events of a job. */
    public static Announcements of(Logger log, LogPrefix prefix, RestartListener listener) {
        return new Announcements(log, LoggerFactory.getLogger(RestartLoop.class), prefix, listener, true);
    }

    /** Of a warm-up: neither the log nor the flight recorder, which are about jobs, mentions it. */
    public static Announcements ofWarmUp(LogPrefix prefix, RestartListener listener) {
        return new Announcements(NOPLogger.NOP_LOGGER, NOPLogger.NOP_LOGGER, prefix, listener, false);
    }

    LogPrefix prefix() {
        return prefix;
    }

    /** An event of the flight recorder that begins now; null in a warm-up, which it does not record. */
    @Nullable
    IterationEvent eventOf(State state) {
        return isRecorded ? IterationEvent.begin(state) : null;
    }

    /** The same for the entry into the function. */
    @Nullable
    EntryEvent entryOf(State state) {
        return isRecorded ? EntryEvent.begin(state) : null;
    }

    /** This rank goes from one stage to another. */
    void moved(LoopState from, LoopState to) {
        transitions.debug("{} {} -> {}", prefix, from, to);
    }

    /** This rank records faults that interrupt the iteration. */
    void recorded(State state, List<Interruption> faults) {
        if (isRecorded) {
            for (Interruption fault : faults) {
                FaultEvent.tell(state, fault.rank(), fault.kind(), fault.message());
            }
        }
    }

    void iterationStarted(State state) {
        prefix.enter(state);
        if (state.iteration() == 0) {
            log.info("{} joined a job of {} ranks as {}", prefix, state.worldSize(), role(state));
        }
        tell(each -> each.iterationStarted(state));
    }

    /**
     * Notes what the function, or what runs before it, has thrown. It is logged with the next line: the first stack trace of a process may take
     * its log tens of milliseconds, while the whole job waits for this rank.
     */
    void failed(String step, Throwable thrown) {
        failure = new Failure(step, thrown);
    }

    /** Logs what is still to be logged. For a restart that takes its time, or never ends. */
    void flush() {
        if (failure != null) {
            log.warn("{} the " + failure.step() + " failed; all ranks restart", prefix, failure.thrown());
            failure = null;
        }
    }

    /** This rank pauses before the next iteration: what the function has thrown need not wait any longer. */
    void backsOff(int failuresInARow, Duration pause) {
        flush();
        log.warn(
                "{} failed {} times in a row, each time within {} s and without a ping: pausing for {} ms before the restart",
                prefix,
                failuresInARow,
                BackOff.AT_ONCE.toSeconds(),
                pause.toMillis());
    }

    /** This rank has waited for so long until others do something. */
    void waits(Duration elapsed, String what, String who) {
        log.info("{} has waited {} s for others to {}: {}", prefix, elapsed.toSeconds(), what, who);
    }

    /** The others have declared this rank dead because of this. From any thread. */
    void declaredDead(Interruption because) {
        log.warn("{} was declared dead: {}", prefix, because);
    }

    void restarted(RestartReport report, RestartTimer timer) {
        flush();
        State state = report.state();
        prefix.enter(state);
        log.info("{} {}; now {} in a world of {}", prefix, report, role(state), state.worldSize());
        tell(each -> each.restarted(report));
        if (isRecorded) {
            timer.record(report);
        }
    }

    /** Tells why this rank has another role than before; nothing if the text is empty. */
    void roleChanged(String change) {
        if (!change.isEmpty()) {
            log.info("{} {}", prefix, change);
        }
    }

    /** Tells what this rank, as the leader, has decided for all. */
    void assigned(int k, World before, World after) {
        log.debug("{} assigns the ranks of iteration {}:{}", prefix, k, new WorldTable(before, after));
    }

    void completed(State state) {
        flush();
        log.info("{} completed, as all active ranks have", prefix);
        tell(each -> each.completed(state));
    }

    void leaving(State state, Throwable reason) {
        flush();
        log.info("{} leaves the job: {}", prefix, Faults.reasonOf(reason));
        if (isRecorded && Faults.isNewsToOthers(reason)) {
            FaultEvent.tell(state, state.initialRank(), Faults.kindOfLeaving(reason), Faults.textOf(reason));
        }
        tell(each -> each.leaving(state, reason));
    }

    private static String role(State state) {
        return state.isActive()
                ? "active rank " + state.activeRank() + " of " + state.activeWorldSize()
                : "reserve behind " + state.activeWorldSize() + " active ranks";
    }

    @SuppressWarnings("CatchingUnchecked") // a listener is notified, not asked: whatever it throws changes nothing
    private void tell(Consumer<RestartListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable thrown) {
            log.warn("{} the restart listener failed; the restart loop goes on", prefix, thrown);
        }
    }
}
