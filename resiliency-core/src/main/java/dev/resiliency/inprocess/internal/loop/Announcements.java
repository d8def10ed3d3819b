package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.jfr.EntryEvent;
import dev.resiliency.inprocess.internal.jfr.FaultEvent;
import dev.resiliency.inprocess.internal.jfr.FlightRecording;
import dev.resiliency.inprocess.internal.jfr.IterationEvent;
import dev.resiliency.inprocess.internal.jfr.JoinEvent;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.stack.StackFrames;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/**
 * Reports what happens on this rank to the operator's log, the listener and the flight recorder. Confined to the
 * monitor thread.
 */
public final class Announcements {
    /** The maximum number of faults in a line. */
    static final int SHOWN = 5;

    private final Logger log;
    private final Logger transitions;
    private final LogPrefix prefix;
    private final RestartListener listener;
    private final Agent agent;

    private final boolean isOfJob;
    /** Until it is logged. */
    private @Nullable Failure failure;
    /** The last restart, until a step has followed; null if none has begun. */
    private @Nullable RestartReport unrecovered;
    /** The lines about the last restart, until they are logged. */
    private final List<String> restart = new ArrayList<>();

    /** Which step of the user's code has thrown what. */
    private record Failure(String step, Throwable thrown) {}

    /** What the agent of this rank learns. */
    public interface Agent {
        /** There is none. */
        Agent NONE = new Agent() {
            @Override
            public void restarted(RestartReport report) {}

            @Override
            public void began(int iteration, long first, long before) {}
        };

        /** The iteration after a restart has begun. */
        void restarted(RestartReport report);

        /**
         * The function has passed its first step in an iteration, which may be over by now.
         *
         * @param before the last one that it has passed in this process before; negative if it has not
         */
        void began(int iteration, long first, long before);
    }

    private Announcements(
            Logger log, Logger transitions, LogPrefix prefix, RestartListener listener, Agent agent, boolean isOfJob) {
        this.log = log;
        this.transitions = transitions;
        this.prefix = prefix;
        this.listener = listener;
        this.agent = agent;
        this.isOfJob = isOfJob;
    }

    /** Announces the events of a job; those that concern it also to the agent of this rank. */
    public static Announcements of(Logger log, LogPrefix prefix, RestartListener listener, Agent agent) {
        return new Announcements(log, SafeLog.of(RestartLoop.class), prefix, listener, agent, true);
    }

    /** Announces nothing to the log and the flight recorder, which are about jobs: for a warm-up. */
    public static Announcements ofWarmUp(LogPrefix prefix, RestartListener listener) {
        return new Announcements(NOPLogger.NOP_LOGGER, NOPLogger.NOP_LOGGER, prefix, listener, Agent.NONE, false);
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

    /** Begins the event of a process that announces itself to a running job; returns null if it is not recorded. */
    @Nullable
    JoinEvent joinOf() {
        return isRecorded() ? JoinEvent.announced() : null;
    }

    /** Reports a change of stage. */
    void moved(LoopState from, LoopState to) {
        transitions.debug("{} {} -> {}", prefix, from, to);
    }

    /** Reports where the job lives after its store was lost. */
    void moved(StoreSeat seat, int generation) {
        log.warn(
                "{} the job's store was lost: rank {} hosts it now, at {}:{}, as generation {}",
                prefix,
                seat.rank(),
                seat.host(),
                seat.port(),
                generation);
    }

    /** Reports faults that this rank records and that interrupt the iteration. */
    void recorded(State state, List<Interruption> faults) {
        if (isRecorded()) {
            for (Interruption fault : faults) {
                FaultEvent.record(state, fault.rank(), fault.kind(), fault.message());
            }
        }
    }

    /**
     * Reports why founders take no part in the first iteration, if any do not: they have left, or have not come.
     *
     * @param mayJoin whether the job admits processes later
     */
    void startsWithout(List<Interruption> gone, boolean mayJoin) {
        if (!gone.isEmpty()) {
            IndexSet ranks =
                    IndexSet.of(gone.stream().mapToInt(Interruption::rank).toArray());
            String more = gone.size() > SHOWN ? "; and " + (gone.size() - SHOWN) + " more" : "";
            log.warn(
                    "{} the job starts without ranks {}{}: {}{}",
                    prefix,
                    ranks,
                    mayJoin ? ", which may join later" : "",
                    gone.stream().limit(SHOWN).map(Interruption::toString).collect(Collectors.joining("; ")),
                    more);
        }
    }

    /** Reports that this process has followed its agent to another store. */
    void goesOn(State state) {
        log.info("{} goes on in a job of {} ranks as {}", prefix, state.worldSize(), role(state));
    }

    /** Reports that an iteration has started, in a world that came about with {@code event}: now or earlier. */
    void iterationStarted(State state, WorldEvent event) {
        prefix.enter(state);
        switch (state.entry()) {
            case FOUNDED -> log.info("{} joined a job of {} ranks as {}", prefix, state.worldSize(), role(state));
            case JOINED ->
                log.info("{} joined a running job of {} ranks as {}", prefix, state.worldSize(), role(state));
            case SURVIVED -> {}
        }
        if (event.iteration() == state.iteration()) {
            notifyListener(each -> each.worldChanged(event));
        }
        notifyListener(each -> each.iterationStarted(state));
    }

    /** Reports that the iteration is interrupted. The function learns of it when the last call is over. */
    void pauses(State state) {
        notifyListener(each -> each.worldChanged(new WorldEvent.Pausing(state.iteration(), state.activeWorldSize())));
    }

    /**
     * Notes what the function, or a step before it, threw. It is logged with the next line: the first stack trace of a
     * process may take tens of milliseconds to log, while the whole job waits for this rank.
     */
    void failed(String step, Throwable thrown) {
        failure = new Failure(step, thrown);
    }

    /** Logs a failure that was noted, and a restart. For one that takes long or never ends. */
    void flush() {
        settled();
        if (failure != null) {
            Throwable thrown = failure.thrown();
            if (Faults.kindOf(thrown) == Interruption.Kind.CONNECTION_LOST) {
                log.info(
                        "{} the {} has lost a connection, probably as another rank has ended or stopped: {} at {}; all ranks restart",
                        prefix,
                        failure.step(),
                        Faults.textOf(thrown),
                        StackFrames.place(StackFrames.notable(thrown.getStackTrace())));
                log.debug("{} the lost connection", prefix, thrown);
            } else {
                log.warn("{} the " + failure.step() + " failed; all ranks restart", prefix, thrown);
            }
            failure = null;
        }
    }

    /** Reports what the function threw as it was stopped, when all the others had only lost their connections. */
    void threwAtTheStop(Throwable thrown) {
        log.warn(
                "{} the function threw this as it was stopped, and perhaps before: no other rank has failed",
                prefix,
                thrown);
    }

    /**
     * Reports that this rank pauses before the next iteration, which leaves time to log the failure.
     *
     * @param attempt the number of the call that has failed, from 1 on
     */
    void backsOff(int attempt, int failuresInARow, Duration pause) {
        flush();
        log.warn(
                "{} {} failures in a row without coming further: attempt {} begins in {} ms",
                prefix,
                failuresInARow,
                attempt + 1,
                pause.toMillis());
    }

    /** Reports how long this rank has been waiting for others. */
    void waits(Duration elapsed, String what, String who) {
        log.info("{} is still waiting after {} s for others to {}: {}", prefix, elapsed.toSeconds(), what, who);
    }

    /** Reports the threads that the function has left behind. */
    void leavesThreads(List<String> names) {
        log.warn(
                "{} the function leaves more threads behind with each restart, {} by now: {}{}. It should end those that it has"
                        + " started, with onAbort or in a finally block",
                prefix,
                names.size(),
                names.stream().distinct().limit(SHOWN).collect(Collectors.joining(", ")),
                names.stream().distinct().count() > SHOWN ? ", …" : "");
    }

    /**
     * Reports the first step that the function has passed in an iteration, which may be before the one that it had come to: at a
     * checkpoint, or all over again.
     *
     * @param from the last one that it has passed before; negative if it has not
     */
    void began(int iteration, long from, long to) {
        agent.began(iteration, to, from);
        if (to < from) {
            wentBack(from, to);
        }
    }

    private void wentBack(long from, long to) {
        String line = "{} the step went back from {} to {}";
        if (to == 0) {
            log.warn(line + ": the function begins all over again", prefix, from, to);
        } else {
            log.info(line, prefix, from, to);
        }
    }

    /** Reports that this rank waits for others that have not made a step in the iteration yet. */
    void waitsForFirstStep(String who, Duration limit) {
        log.info(
                "{} waits for {}: the wait does not count as a hang in the first {} s (firstStepTimeout), or while they"
                        + " pause their hang protection",
                prefix,
                who,
                limit.toSeconds());
    }

    /** Reports that the store is lost before this rank knew whether half have accepted iteration {@code k}. */
    void losesStoreInDoubt(int k) {
        log.info("{} has accepted iteration {}, and cannot know whether half have, as the store is lost", prefix, k);
    }

    /** Reports that this process prepares itself, which nobody waits for. */
    void preparesToJoin() {
        log.info("{} runs its prepare hook, and then waits to join the running job", prefix);
    }

    /** Reports that this process lets {@code holdBack} pass before the others learn of it. */
    void holdsBack(Duration holdBack) {
        log.warn(
                "{} waits {} s before it joins the running job again, as it has cost it restarts and made no step",
                prefix,
                holdBack.toSeconds());
    }

    /** Reports that this process waits to join a running job, and that the store knows of it. */
    void waitsToJoin() {
        log.info("{} waits to join the running job", prefix);
    }

    /** Reports how long this process has been waiting to join. */
    void stillWaitsToJoin(Duration elapsed) {
        log.info(
                "{} is still waiting after {} s to join the running job: it is admitted when a rank is lost, or when the job may grow. If the"
                        + " job cannot admit it, the log of its lowest rank says why",
                prefix,
                elapsed.toSeconds());
    }

    /** Reports that the job was complete before this process was admitted. */
    void cameTooLate() {
        log.info("{} was not needed: the job is complete", prefix);
    }

    /** Reports that all members have died or left before this process was admitted. */
    void generationIsOver() {
        log.info(
                "{} all ranks of the job have died or left: the processes that come now found its next generation",
                prefix);
    }

    /** Reports, on the leader, for what it waits before it decides. */
    void waitsForMore(Duration atMost, String reason) {
        log.warn("{} waits up to {} s for ranks to join: {}", prefix, atMost.toSeconds(), reason);
    }

    /** Reports why those who wait cannot be admitted, or some of them. */
    void cannotAdmit(@Nullable String reason) {
        log.warn("{} cannot admit all processes that wait to join: {}", prefix, reason);
    }

    /** Reports that those who come are kept waiting. */
    void pausesAdmission(AdmissionPause pause) {
        log.warn(
                "{} {} processes in a row have died within {} s of joining the job: it admits no other for {} s, unless it"
                        + " cannot go on without",
                prefix,
                pause.earlyDeaths(),
                AdmissionPause.SOON.toSeconds(),
                pause.pause().toSeconds());
    }

    /** Reports that this rank is to leave on purpose, when it has announced that to the others. */
    void isToLeave(State state, String reason, boolean endsStore) {
        log.info("{} is to leave the job at the next safe point, or with the next restart: {}", prefix, reason);
        if (endsStore) {
            log.warn(
                    "{} hosts the job's store, which ends with this process: unless all ranks leave, the others fail then."
                            + " A standalone store server outlives its ranks",
                    prefix);
        }
        notifyListener(each -> each.worldChanged(new WorldEvent.Draining(state.iteration(), state.activeWorldSize())));
    }

    /** Reports that this process leaves on purpose before it has taken part. */
    void leavingBeforeFirst(Throwable reason) {
        log.info("{} leaves the job: {}", prefix, Faults.reasonOf(reason));
    }

    /** Reports, on the rank that publishes it, at which step all ranks stop. */
    void publishesSafePoint(long step) {
        log.info("{} all ranks are to stop at safe point {}", prefix, step);
    }

    /** Reports that this rank is in an atomic section, or has just left one, while the others have gone on without it. */
    void heldSection() {
        log.warn(
                "{} is in an atomic section, or has just left one, while the others have gone on without this rank: what it"
                        + " writes there may replace what they have written since, unless it calls confirm() before its last act",
                prefix);
    }

    /** Reports why the others have declared this rank dead. From any thread. */
    void declaredDead(Interruption because) {
        log.warn("{} was declared dead: {}", prefix, because);
    }

    /** Reports a restart. It is logged once it is {@linkplain #settled}: an initialize hook may still make this rank leave. */
    void restarted(RestartReport report, RestartTimer timer) {
        flush();
        State state = report.state();
        prefix.enter(state);
        unrecovered = report;
        restart.addAll(report.lines());
        restart.add(
                restart.remove(restart.size() - 1) + "; now " + role(state) + " in a world of " + state.worldSize());
        agent.restarted(report);
        notifyListener(each -> each.restarted(report));
        if (isRecorded()) {
            timer.record(report);
        }
    }

    /**
     * Reports that the function has made a step again after a restart, if one has preceded.
     *
     * @param at a time of {@link System#nanoTime}
     */
    void recovered(long at) {
        RestartReport report = unrecovered;
        unrecovered = null;
        if (report != null) {
            log.info(
                    "{} recovered in {} ms, from the interruption to the first step",
                    prefix,
                    Math.round((at - report.knownAt()) / 1e5) / 10.0);
        }
    }

    /** Logs the restart that was reported: its function runs, or this rank is a reserve. */
    void settled() {
        restart.forEach(line -> log.info("{} {}", prefix, line));
        restart.clear();
    }

    /** Reports why this rank's role has changed, with the restart; does nothing if the text is empty. */
    void roleChanged(String change) {
        if (!change.isEmpty()) {
            restart.add(change);
        }
    }

    /** Reports what this rank, as the leader, has decided for all. */
    void assigned(int k, World before, World after) {
        log.debug("{} assigns the ranks of iteration {}:{}", prefix, k, new WorldTable(before, after));
    }

    void completed(State state) {
        flush();
        log.info("{} completed: all active ranks have returned", prefix);
        notifyListener(each -> each.worldChanged(new WorldEvent.Completed(state.iteration(), state.activeWorldSize())));
        notifyListener(each -> each.completed(state));
    }

    void leaving(State state, Throwable reason) {
        restart.clear(); // none has followed
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
