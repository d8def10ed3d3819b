package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.agent.AgentAction.Dump;
import dev.resiliency.launcher.agent.AgentAction.Kill;
import dev.resiliency.launcher.agent.AgentAction.Pass;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentAction.Signal;
import dev.resiliency.launcher.agent.AgentAction.Sit;
import dev.resiliency.launcher.agent.AgentAction.Start;
import dev.resiliency.launcher.agent.AgentAction.Warn;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import dev.resiliency.launcher.process.ProcessState;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Seat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The processes of a node: starts and stops them, and keeps their deadlines. Confined to the thread of the agent. */
final class RankSlots {
    /** How long a process that hangs has to show its threads. */
    static final Duration DUMP_TIME = Duration.ofSeconds(2);

    private final AgentContext context;
    private final List<RankSlot> slots;
    /** Null until the node has one. */
    private @Nullable Seat seat;

    private WorldChange world = WorldChange.STARTED;

    /** The last signal that was passed on, without {@code SIG}; null if none was. */
    private @Nullable String passed;

    RankSlots(AgentContext context) {
        this.context = context;
        int processes = context.config().processes();
        slots = IntStream.range(0, processes + context.config().spares())
                .mapToObj(number -> new RankSlot(number, number >= processes))
                .toList();
    }

    /** Takes a seat, by which the processes have their ranks. */
    void sit(Seat newSeat) {
        world = seat == null ? WorldChange.STARTED : WorldChange.between(seat, newSeat, world);
        seat = newSeat;
        context.act(new Sit(newSeat, world.event(newSeat)));
    }

    /** Returns the latest seat; null before the first. */
    @Nullable
    Seat seat() {
        return seat;
    }

    /** Warns all processes that those of the whole job are about to start again. */
    void warnOfPause(int cycle) {
        if (seat != null) {
            context.act(new Warn(new WorldEvent.Pausing(cycle, seat.worldSize())));
        }
    }

    /** Warns all processes that the node is about to leave. */
    void warnOfDrain() {
        if (seat != null) {
            context.act(new Warn(new WorldEvent.Draining(seat.cycle(), seat.worldSize())));
        }
    }

    /** Returns the processes as they are now. */
    List<NodeState.Slot> read() {
        return slots.stream()
                .map(slot -> new NodeState.Slot(
                        slot.number, nameOf(slot), rankOf(slot), slot.state(), slot.pid(), slot.restarts, slot.promise))
                .toList();
    }

    /** Returns what a target is called, as a word. */
    String wordFor(Target target) {
        if (target instanceof Target.One one) {
            return nameOf(get(one.process())).replace(' ', '-');
        }
        return target instanceof Target.Node ? "node-" + (seat == null ? 0 : seat.group()) : "job";
    }

    RankSlot get(int number) {
        return slots.get(number);
    }

    List<RankSlot> all() {
        return slots;
    }

    boolean anyIsAlive() {
        return slots.stream().anyMatch(RankSlot::isAlive);
    }

    /** Returns whether all ranks of the node have completed, or left on purpose. */
    boolean areThrough() {
        return slots.stream().allMatch(RankSlot::isThrough);
    }

    /** Returns whether all are through, and not all have left: then the job has completed. */
    boolean haveCompleted() {
        return areThrough() && slots.stream().anyMatch(slot -> slot.state() == ProcessState.COMPLETED);
    }

    /** Returns the signal that was passed on last, without {@code SIG}. */
    Optional<String> passed() {
        return Optional.ofNullable(passed);
    }

    /** Returns how many ranks found the job; 0 before the node has a seat. */
    int worldSize() {
        return seat == null ? 0 : seat.worldSize();
    }

    private OptionalInt rankOf(RankSlot slot) {
        return seat != null && seat.isFounder() && !slot.isSpare
                ? OptionalInt.of(seat.rank(slot.number))
                : OptionalInt.empty();
    }

    /** Returns what people call a process. */
    String nameOf(RankSlot slot) {
        return seat == null ? "process " + slot.number : seat.nameOf(slot.number);
    }

    /** Returns which process has ended, how, and after which time. */
    String describe(Ended ended, String how) {
        RankSlot slot = get(ended.process());
        ExitReason reason = ended.reason();
        return reason.hasRun()
                ? "%s (process %d) %s after %s%s"
                        .formatted(
                                nameOf(slot),
                                slot.pid(),
                                how,
                                Durations.format(uptime(ended)),
                                slot.overdue.isEmpty() ? reason.more(uptime(ended)) : ", as it hung: " + slot.overdue)
                : "%s: the command %s".formatted(nameOf(slot), reason.description());
    }

    /** Returns how long a process has run that has ended. */
    Duration uptime(Ended ended) {
        return get(ended.process()).uptime(ended.at());
    }

    /** Returns how long to wait before all processes start again: as long as the one that fails most often. */
    Duration delay() {
        return context.backoff(
                slots.stream().mapToInt(RankSlot::startupFailures).max().orElse(0));
    }

    void start(RankSlot slot) {
        slot.start(context.now());
        slot.overdue = "";
        context.act(new Start(slot.number, slot.restarts, slot.promise, slot.nextStart));
    }

    /** Notes that a process runs. */
    void hasStarted(int process, long pid) {
        RankSlot slot = get(process);
        slot.hasStarted(pid);
        slot.promise = OptionalInt.empty();
        slot.nextStart = "";
    }

    /** Tries again, and again, to start a process that could not be started for want of resources; says so once. */
    void startLater(RankSlot slot, Ended ended) {
        if (slot.waitForResources(context.now())) {
            context.note("%s; it is tried again each %s"
                    .formatted(describe(ended, ended.reason().description()), Durations.format(Shortage.PAUSE)));
        }
    }

    /** Notes the end of a process that was to end. */
    void hasStopped(Ended ended) {
        get(ended.process()).enter(ProcessState.IDLE);
        context.note(describe(ended, ended.reason().description()));
    }

    /** Returns the processes that run, and that nothing is about to end. */
    Set<Integer> running() {
        return slots.stream()
                .filter(slot -> slot.state() == ProcessState.RUNNING)
                .map(slot -> slot.number)
                .collect(Collectors.toSet());
    }

    /** These processes go on without this agent. */
    void letGo(Set<Integer> processes) {
        processes.forEach(number -> get(number).enter(ProcessState.IDLE));
    }

    /** Sends all that run a signal, and gives them time to end; no other one starts any more. */
    void stopAll(String signal, String why) {
        Duration grace = context.config().grace();
        for (RankSlot slot : slots) {
            if (slot.state() == ProcessState.RUNNING || slot.state() == ProcessState.OVERDUE) {
                slot.enter(ProcessState.STOPPING, context.now(), grace);
                if (slot.pid() == 0) {
                    continue; // it could not be started, and its end is on its way
                }
                context.act(new Signal(
                        slot.number,
                        signal,
                        "%s: %s (process %d) receives SIG%s, and has %s to end"
                                .formatted(why, nameOf(slot), slot.pid(), signal, Durations.format(grace))));
            } else if (!slot.isAlive() && !slot.hasLeftOrCompleted()) {
                slot.enter(ProcessState.IDLE);
            }
        }
    }

    /** Passes a signal on to all that run. */
    void pass(String signal) {
        passed = signal;
        slots.stream()
                .filter(slot -> slot.state() == ProcessState.RUNNING)
                .forEach(slot -> context.act(new Pass(
                        slot.number,
                        signal,
                        "received SIG%s: %s (process %d) receives it too, if it handles it"
                                .formatted(signal, nameOf(slot), slot.pid()))));
    }

    /** Handles a process that hangs: its threads are shown, and then it is ended. */
    void overdue(RankSlot slot, String reason) {
        String what = "%s (process %d) hangs: %s".formatted(nameOf(slot), slot.pid(), reason);
        slot.overdue = reason;
        slot.enter(ProcessState.OVERDUE, context.now(), DUMP_TIME);
        context.act(new Report(JobEvent.Kind.RANK_OVERDUE, what));
        context.act(new Dump(slot.number, what + "; it shows its threads, and is ended"));
    }

    /** Ends a process that hangs and has nothing to show. */
    void showsNothing(RankSlot slot) {
        if (slot.state() == ProcessState.OVERDUE) {
            end(slot);
        }
    }

    private void end(RankSlot slot) {
        String signal = context.config().monitor().rankTerminationSignal();
        if (signal.equals("KILL")) {
            kill(slot, "");
            return;
        }
        Duration grace = context.config().grace();
        slot.enter(ProcessState.STOPPING, context.now(), grace);
        context.act(new Signal(
                slot.number,
                signal,
                "%s (process %d) receives SIG%s, and has %s to end"
                        .formatted(nameOf(slot), slot.pid(), signal, Durations.format(grace))));
    }

    void kill(RankSlot slot, String reason) {
        slot.kill(context.now());
        context.act(new Kill(slot.number, reason));
    }

    /** Returns when the states of the processes end by themselves. */
    Stream<Long> deadlines() {
        return slots.stream().flatMap(slot -> Stream.ofNullable(slot.deadline()));
    }

    /** Does what is due. */
    void tick() {
        for (RankSlot slot : slots) {
            Long deadline = slot.deadline();
            if (deadline != null && context.isDue(deadline)) {
                expire(slot);
            }
        }
    }

    private void expire(RankSlot slot) {
        switch (slot.state()) {
            case WAITING -> start(slot);
            case OVERDUE -> end(slot);
            case STOPPING ->
                kill(
                        slot,
                        "%s (process %d) has not ended within %s: it is killed"
                                .formatted(
                                        nameOf(slot),
                                        slot.pid(),
                                        Durations.format(context.config().grace())));
            default -> {
                slot.enter(ProcessState.IDLE);
                context.note("%s (process %d) does not end, although it was killed: it is left"
                        .formatted(nameOf(slot), slot.pid()));
            }
        }
    }
}
