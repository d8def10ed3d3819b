package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.agent.AgentAction.AskRestart;
import dev.resiliency.launcher.agent.AgentAction.AwaitFounders;
import dev.resiliency.launcher.agent.AgentAction.AwaitMemory;
import dev.resiliency.launcher.agent.AgentAction.CallCycle;
import dev.resiliency.launcher.agent.AgentAction.EndJob;
import dev.resiliency.launcher.agent.AgentAction.Exit;
import dev.resiliency.launcher.agent.AgentAction.Kill;
import dev.resiliency.launcher.agent.AgentAction.Leave;
import dev.resiliency.launcher.agent.AgentAction.Note;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentAction.Signal;
import dev.resiliency.launcher.agent.AgentAction.Start;
import dev.resiliency.launcher.agent.AgentAction.TakeSeat;
import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Drained;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.Founded;
import dev.resiliency.launcher.agent.AgentEvent.Free;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.JobEnded;
import dev.resiliency.launcher.agent.AgentEvent.MemoryFree;
import dev.resiliency.launcher.agent.AgentEvent.NodeGone;
import dev.resiliency.launcher.agent.AgentEvent.Seated;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import dev.resiliency.launcher.agent.RankSlot.State;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.process.ChildProcess;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Seat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of the processes of a node: takes what happens, and returns what to do and why. Acts in no other way, and
 * never waits. Confined to one thread.
 */
final class Agent {
    /** Stands for all processes of the node. */
    static final int WHOLE_NODE = -1;

    /** Stands for all processes of the job. */
    static final int WHOLE_JOB = -2;

    /** How long the agent that hosts the store waits for the others. */
    static final Duration LEAVE_LIMIT = Duration.ofMinutes(1);

    private static final String TERMINATE = "TERM";

    private final AgentSettings settings;
    private final LongSupplier clock;
    private final List<RankSlot> slots;
    /** The actions of the current step. */
    private List<AgentAction> actions = new ArrayList<>();

    private Phase phase = Phase.SEATING;
    private int cycle;
    /** Null until the node has one. */
    private @Nullable Seat seat;

    /** In {@link Phase#REGROUPING}: what starts again when all processes have ended; {@link #WHOLE_NODE} or the job. */
    private int regrouping = WHOLE_NODE;
    /** In {@link Phase#REGROUPING}: when that is, on the clock; null while it is not granted. */
    private @Nullable Long regroupAt;

    private Reclaim reclaim = Reclaim.DONE;

    private int exitCode;
    private String exitReason = "";
    /** When the wait for the others ends, in {@link Phase#LEAVING}; null otherwise. */
    private @Nullable Long leaveDeadline;
    /** The first signal that asked this agent to end; null before. */
    private @Nullable String stopSignal;

    /** Whether that signal is why it ends. */
    private boolean isStopped;

    private enum Phase {
        /** The node waits for its seat. */
        SEATING,
        /** The processes run. */
        RUNNING,
        /** All processes are to end, and start again. */
        REGROUPING,
        /** All processes are to end, and then this agent. */
        ENDING,
        /** No process runs any more; others may still need this agent. */
        LEAVING
    }

    /** In {@link Phase#REGROUPING}: whether the memory of the GPUs is waited for. */
    private enum Reclaim {
        /** It will be, when all processes have ended. */
        DUE,
        /** It is. */
        RUNNING,
        /** It is not, or not any more. */
        DONE
    }

    /** Creates an agent whose clock is {@link System#nanoTime}, or stands for it. */
    Agent(AgentSettings settings, LongSupplier clock) {
        this.settings = settings;
        this.clock = clock;
        slots = IntStream.range(0, settings.processes() + settings.spares())
                .mapToObj(number -> new RankSlot(number, number >= settings.processes()))
                .toList();
    }

    /** Returns how long until {@link Tick} is due; empty if nothing is. */
    Optional<Duration> untilTick() {
        // While processes run, their ends are what a new start waits for, and then the memory that they held.
        boolean waits = reclaim != Reclaim.DONE || slots.stream().anyMatch(RankSlot::isAlive);
        Long regroup = waits ? null : regroupAt;
        return Stream.concat(
                        Stream.concat(Stream.ofNullable(regroup), Stream.ofNullable(leaveDeadline)),
                        slots.stream().flatMap(slot -> Stream.ofNullable(slot.deadline)))
                .map(at -> Duration.ofNanos(Math.max(0, at - clock.getAsLong())))
                .min(Duration::compareTo);
    }

    /** Returns what to do about an event, in this order. */
    List<AgentAction> on(AgentEvent event) {
        actions = new ArrayList<>();
        if (event instanceof Seated seated) {
            seated(seated.seat());
        } else if (event instanceof Founded) {
            founded();
        } else if (event instanceof Started started) {
            slots.get(started.process()).pid = started.pid();
        } else if (event instanceof Ended ended) {
            ended(slots.get(ended.process()), ended.reason(), ended.at());
        } else if (event instanceof Granted granted) {
            granted(granted);
        } else if (event instanceof StopAsked asked) {
            stopAsked(asked.signal());
        } else if (event instanceof JobEnded job) {
            end(job.code(), "the job has ended: " + job.reason(), TERMINATE);
        } else if (event instanceof CycleCalled called) {
            cycleCalled(called.cycle(), called.reason());
        } else if (event instanceof Drained drained) {
            end(ExitCode.COMPLETED, "this node leaves the job: " + drained.reason(), TERMINATE);
        } else if (event instanceof MemoryFree free) {
            memoryFree(free.note());
        } else if (event instanceof NodeGone gone) {
            nodeGone(gone.node());
        } else if (event instanceof Failed failed) {
            failed(failed.reason());
        } else if (event instanceof Free) {
            free();
        } else {
            tick();
        }
        return actions;
    }

    private void seated(Seat newSeat) {
        if (phase != Phase.SEATING || newSeat.cycle() < cycle) {
            return;
        }
        phase = Phase.RUNNING;
        cycle = newSeat.cycle(); // a node that comes late finds the job in a later one
        seat = newSeat;
        boolean hasSpares = !newSeat.isFounder() || settings.spares() > 0;
        for (RankSlot slot : slots) {
            slot.restarts = Math.max(slot.restarts, cycle);
            if (newSeat.isFounder() && !slot.isSpare) {
                start(slot);
            }
        }
        if (hasSpares) {
            actions.add(new AwaitFounders(
                    newSeat.isFounder()
                            ? ""
                            : "this is spare node %d: its processes join when the job is founded"
                                    .formatted(newSeat.group())));
        }
    }

    private void founded() {
        if (phase == Phase.RUNNING) {
            slots.stream().filter(slot -> slot.state == State.IDLE).toList().forEach(this::start);
        }
    }

    private void start(RankSlot slot) {
        slot.enter(State.RUNNING, null);
        slot.startedAt = clock.getAsLong();
        actions.add(new Start(slot.number, slot.restarts, slot.promise, slot.nextStart));
        slot.promise = OptionalInt.empty();
        slot.nextStart = "";
    }

    private void ended(RankSlot slot, ExitReason reason, long at) {
        Duration uptime = Duration.ofNanos(at - slot.startedAt);
        String what = reason instanceof NotStarted
                ? "%s: the command %s".formatted(nameOf(slot), reason.description())
                : "%s (process %d) %s after %s%s"
                        .formatted(
                                nameOf(slot),
                                slot.pid,
                                phase == Phase.RUNNING ? Verdict.describe(reason) : reason.description(),
                                Durations.format(uptime),
                                reason.hint());
        if (phase == Phase.RUNNING) {
            endedWhileRunning(slot, reason, uptime, what);
            return;
        }
        slot.enter(State.IDLE, null);
        actions.add(new Note(what));
        if (isStopped && stopSignal != null && reason.code() != 0) {
            exitCode = ExitReason.codeOf(stopSignal);
        }
        proceed();
    }

    private String nameOf(RankSlot slot) {
        return seat != null && seat.isFounder() && !slot.isSpare
                ? "rank " + seat.rank(slot.number)
                : "spare process " + slot.number;
    }

    private void endedWhileRunning(RankSlot slot, ExitReason reason, Duration uptime, String what) {
        Verdict verdict = Verdict.of(reason);
        if (verdict != Verdict.COMPLETED) {
            actions.add(new Report(JobEvent.Kind.RANK_ENDED, what));
        }
        switch (verdict) {
            case COMPLETED -> {
                slot.enter(State.COMPLETED, null);
                actions.add(new Note(what));
                boolean allDone = slots.stream().allMatch(RankSlot::isThrough);
                if (allDone) {
                    end(ExitCode.COMPLETED, "all ranks of this node have completed", TERMINATE);
                }
            }
            case ABORT -> {
                slot.enter(State.IDLE, null);
                giveUp(what + ": it asks not to be started again");
            }
            case REPLACE_HOST -> end(ExitCode.REPLACE_HOST, what + ": it asks to be started on another host", slot);
            case CANNOT_START -> end(reason.code(), what, slot);
            default -> failed(slot, uptime, what);
        }
    }

    private void end(int code, String reason, RankSlot slot) {
        slot.enter(State.IDLE, null);
        end(code, reason, TERMINATE);
    }

    private void failed(RankSlot slot, Duration uptime, String what) {
        boolean isStartupFailure = uptime.compareTo(settings.startupTime()) < 0;
        slot.startupFailures = isStartupFailure ? slot.startupFailures + 1 : 0;
        slot.enter(State.IDLE, null);
        if (isStartupFailure && slot.startupFailures == settings.maxStartupFailures()) {
            giveUp("%s: it has failed %d times in a row within its first %s"
                    .formatted(what, slot.startupFailures, Durations.format(settings.startupTime())));
            return;
        }
        Remedy remedy = Remedy.ofFailedRank(settings.policy());
        String reason = what + ": " + remedy.reason();
        switch (remedy.kind()) {
            case RESTART_RANK -> {
                slot.enter(State.ASKING, null);
                actions.add(new AskRestart(slot.number, reason));
            }
            case RESTART_NODE -> {
                regroup(WHOLE_NODE);
                actions.add(new AskRestart(WHOLE_NODE, reason));
                proceed();
            }
            default -> actions.add(new CallCycle(cycle + 1, reason));
        }
    }

    /** Ends the job for all nodes: starting it again would not help. */
    private void giveUp(String reason) {
        actions.add(new EndJob(ExitCode.DO_NOT_RESTART, reason));
        end(ExitCode.DO_NOT_RESTART, reason, TERMINATE);
    }

    private void granted(Granted granted) {
        boolean isTooLate = phase == Phase.ENDING || phase == Phase.LEAVING;
        if (isTooLate) {
            return;
        }
        if (granted.number() == 0) {
            giveUp("not started again, as the restarts of the job are spent (%s)".formatted(settings.budget()));
            return;
        }
        String restart = "restart %d of %s".formatted(granted.number(), settings.budget());
        if (granted.process() == WHOLE_JOB) {
            restarts("all ranks of the job: " + restart);
        } else if (granted.process() == WHOLE_NODE) {
            Duration delay = delay();
            regroupAt = clock.getAsLong() + delay.toNanos();
            restarts("all ranks of this node: %s, %s".formatted(restart, in(delay)));
            proceed();
        } else {
            RankSlot slot = slots.get(granted.process());
            if (slot.state == State.ASKING) {
                Duration delay = settings.backoff().apply(Math.max(0, slot.startupFailures - 1));
                slot.enter(State.WAITING, clock.getAsLong() + delay.toNanos());
                slot.restarts++;
                slot.promise = granted.promise();
                slot.nextStart = restart;
                restarts("%s: %s, %s".formatted(nameOf(slot), restart, in(delay)));
            }
        }
    }

    private void restarts(String what) {
        actions.add(new Note(what));
        actions.add(new Report(JobEvent.Kind.RESTART, what));
    }

    private static String in(Duration delay) {
        return delay.isZero() ? "at once" : "in " + Durations.format(delay);
    }

    private Duration delay() {
        int failures =
                slots.stream().mapToInt(slot -> slot.startupFailures).max().orElse(0);
        return settings.backoff().apply(Math.max(0, failures - 1));
    }

    private void nodeGone(String node) {
        Remedy remedy = Remedy.ofLostNode(settings.policy());
        String reason = "node %s is lost: %s".formatted(node, remedy.reason());
        if (remedy.kind() == Remedy.Kind.RESTART_JOB && phase == Phase.RUNNING) {
            actions.add(new CallCycle(cycle + 1, reason));
        } else {
            actions.add(new Note(reason));
        }
    }

    private void cycleCalled(int newCycle, String reason) {
        if (newCycle <= cycle || phase == Phase.ENDING || phase == Phase.LEAVING) {
            return;
        }
        cycle = newCycle;
        actions.add(new Note("cycle %d: %s".formatted(newCycle, reason)));
        regroup(WHOLE_JOB);
        regroupAt = clock.getAsLong() + delay().toNanos();
        proceed();
    }

    /** Ends all processes, to start them again. */
    private void regroup(int what) {
        phase = Phase.REGROUPING;
        regrouping = what;
        regroupAt = null;
        reclaim = settings.reclaimsMemory() ? Reclaim.DUE : Reclaim.DONE;
        stopProcesses(TERMINATE, "all processes of this node start again");
    }

    private void stopAsked(String signal) {
        if (phase == Phase.LEAVING) {
            actions.add(new Exit(exitCode, exitReason + "; received SIG" + signal));
            return;
        }
        if (phase != Phase.ENDING) {
            isStopped = true;
            boolean runs = slots.stream().anyMatch(slot -> slot.isAlive() || slot.state == State.COMPLETED);
            end(runs ? ExitCode.COMPLETED : ExitReason.codeOf(signal), "received SIG" + signal, signal);
            stopSignal = signal;
            return;
        }
        if (stopSignal == null) {
            stopSignal = signal; // they have been asked to end already, for another reason
            return;
        }
        for (RankSlot slot : slots) {
            if (slot.state == State.STOPPING || slot.state == State.RUNNING) {
                kill(slot, "received SIG%s, after a signal before: %s is killed".formatted(signal, nameOf(slot)));
            }
        }
    }

    private void failed(String reason) {
        if (phase == Phase.LEAVING) {
            free();
        } else {
            end(ExitCode.FAILED, reason, TERMINATE);
        }
    }

    /** Ends all processes, and then this agent; the first reason stands. */
    private void end(int code, String reason, String signal) {
        if (phase == Phase.ENDING || phase == Phase.LEAVING) {
            return;
        }
        phase = Phase.ENDING;
        regroupAt = null;
        reclaim = Reclaim.DONE;
        exitCode = code;
        exitReason = reason;
        stopProcesses(signal, reason);
        proceed();
    }

    private void stopProcesses(String signal, String why) {
        for (RankSlot slot : slots) {
            if (slot.state == State.RUNNING) {
                slot.enter(State.STOPPING, clock.getAsLong() + settings.grace().toNanos());
                actions.add(new Signal(
                        slot.number,
                        signal,
                        "%s: %s (process %d) receives SIG%s, and has %s to end"
                                .formatted(why, nameOf(slot), slot.pid, signal, Durations.format(settings.grace()))));
            } else if (!slot.isAlive() && slot.state != State.COMPLETED) {
                slot.enter(State.IDLE, null);
            }
        }
    }

    private void kill(RankSlot slot, String reason) {
        slot.enter(State.KILLED, clock.getAsLong() + ChildProcess.KILL_LIMIT.toNanos());
        actions.add(new Kill(slot.number, reason));
    }

    /** Takes the step for which all processes must have ended, once they have. */
    private void proceed() {
        if (slots.stream().anyMatch(RankSlot::isAlive)) {
            return;
        }
        if (phase == Phase.ENDING) {
            phase = Phase.LEAVING;
            leaveDeadline = clock.getAsLong() + LEAVE_LIMIT.toNanos();
            boolean hasCompleted = slots.stream().allMatch(RankSlot::isThrough);
            actions.add(new Report(hasCompleted ? JobEvent.Kind.NODE_COMPLETED : JobEvent.Kind.NODE_LEFT, exitReason));
            actions.add(new Leave(hasCompleted, ""));
        } else if (phase == Phase.REGROUPING && reclaim == Reclaim.DUE) {
            reclaim = Reclaim.RUNNING;
            actions.add(new AwaitMemory(""));
        } else if (phase == Phase.REGROUPING && reclaim == Reclaim.DONE && regroupAt != null && isDue(regroupAt)) {
            regroupAt = null;
            slots.forEach(slot -> slot.enter(State.IDLE, null));
            if (regrouping == WHOLE_NODE) {
                phase = Phase.RUNNING;
                slots.forEach(slot -> slot.restarts++);
                slots.forEach(this::start);
            } else {
                phase = Phase.SEATING;
                actions.add(new TakeSeat(cycle, ""));
            }
        }
    }

    private void memoryFree(String note) {
        if (reclaim == Reclaim.RUNNING) {
            reclaim = Reclaim.DONE;
            actions.add(new Note(note));
            proceed();
        }
    }

    private void free() {
        if (phase == Phase.LEAVING) {
            leaveDeadline = null;
            actions.add(new Exit(exitCode, exitReason));
        }
    }

    private void tick() {
        for (RankSlot slot : slots) {
            if (slot.deadline != null && isDue(slot.deadline)) {
                switch (slot.state) {
                    case WAITING -> start(slot);
                    case STOPPING ->
                        kill(
                                slot,
                                "%s (process %d) has not ended within %s: it is killed"
                                        .formatted(nameOf(slot), slot.pid, Durations.format(settings.grace())));
                    default -> {
                        slot.enter(State.IDLE, null);
                        actions.add(new Note("%s (process %d) does not end, although it was killed: it is left"
                                .formatted(nameOf(slot), slot.pid)));
                    }
                }
            }
        }
        if (leaveDeadline != null && isDue(leaveDeadline)) {
            actions.add(new Note("the others have not ended within " + Durations.format(LEAVE_LIMIT)
                    + ": they lose the store that this agent hosts"));
            free();
        }
        proceed();
    }

    private boolean isDue(long at) {
        return clock.getAsLong() - at >= 0;
    }
}
