package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.ChaosEvent.Started;
import dev.resiliency.examples.bench.chaos.ChaosEvent.Struck;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * State of a job, wherever its ranks live: pure data, updated by the events of its processes, and by the faults. Detects
 * violations that hold at any time; the {@link Judge} decides what a batch must lead to.
 *
 * <p>Without agents, the first processes are the ranks of the same numbers.
 */
final class Board {
    final StateWatch states = new StateWatch();
    final IterationWatch iterations;
    private final int ranks;
    private final int active;
    private final Timeline timeline;
    private final List<String> violations = new ArrayList<>();
    private final List<ProcessView> processes = new ArrayList<>();
    private final Map<Integer, Struck> struck = new HashMap<>();
    /** Numbers that restarts have admitted, and those of them that no process has reported. */
    private final Set<Numbered> admitted = new HashSet<>();

    private final Set<Numbered> unaccounted = new HashSet<>();

    /** The number of a process in its life of the job. */
    private record Numbered(int life, int number) {}

    /**
     * Creates the board of a job of which nothing is known yet.
     *
     * @param ranks number of ranks with which it begins
     * @param active number of those that train at the same time; the others are reserves
     */
    Board(int ranks, int active, Timeline timeline) {
        this.ranks = ranks;
        this.active = active;
        this.timeline = timeline;
        iterations = new IterationWatch(ranks);
    }

    /** Records that a process of a rank is launched now. */
    ProcessView launched(int rank, boolean isSupervised) {
        int index = processes.size();
        String name = index < ranks ? "rank " + rank : "process %d of rank %d".formatted(index, rank);
        return launched(new ProcessView(index, name, rank, -1, -1, isSupervised));
    }

    /** Records that an agent has launched a process; {@code rank} is -1 of a spare. */
    ProcessView launched(String name, int rank, int node, long pid) {
        return launched(new ProcessView(processes.size(), name, rank, node, pid, true));
    }

    private ProcessView launched(ProcessView process) {
        processes.add(process);
        timeline.add("launches %s%s".formatted(process, process.isSupervised ? "" : ", which is not supervised"));
        return process;
    }

    /** Records the order of a fault. From now on its process may be lost if it is deadly. */
    void ordered(ChaosFault fault) {
        timeline.add("orders fault %d, %s".formatted(fault.id(), fault));
        if (fault.isDeadly()) {
            process(fault.process()).deadly = fault;
        }
    }

    /** Records that a fault from outside happens now. */
    void injected(ChaosFault fault) {
        ProcessView process = process(fault.process());
        Started latest = process.latest();
        apply(process, new Struck(fault.id(), latest == null ? -1 : latest.iteration(), System.nanoTime()));
    }

    /** Applies an event that a process reported. */
    void apply(ProcessView process, ChaosEvent event) {
        timeline.add(event.nanos(), process.name, event.describe(), event instanceof ChaosEvent.Saved);
        if (event instanceof ChaosEvent.Saved saved) {
            states.saved(saved).forEach(this::violation);
        } else if (event instanceof Started started) {
            iterations.started(process, started).forEach(this::violation);
            compareWithOthers(process, started);
        } else if (event instanceof ChaosEvent.Restored restored) {
            states.restored(process.name, restored).forEach(this::violation);
        } else if (event instanceof ChaosEvent.Restarted restarted) {
            int life = lifeOf(restarted.iteration());
            restarted.joined().forEach(number -> admitted.add(new Numbered(life, number)));
        } else if (event instanceof Struck fault) {
            struck.put(fault.fault(), fault);
        } else if (event instanceof ChaosEvent.LeftBehind leftovers) {
            boolean isExcused = process.deadly != null && process.deadly.mayLeaveSomething();
            if (!leftovers.what().isEmpty() && !isExcused) {
                violation("%s left behind %s".formatted(process, leftovers.what()));
            }
        } else if (event instanceof ChaosEvent.Left left && !mayGo(process)) {
            violation("%s was healthy, but left the job: %s: %s".formatted(process, left.exception(), left.message()));
        }
        process.apply(event);
    }

    private int lifeOf(int iteration) {
        return Objects.requireNonNullElse(iterations.life(iteration), 0);
    }

    /** Records that a process exited. */
    void ended(ProcessView process, int exitCode) {
        process.exitCode = exitCode;
        process.exitedAt = System.nanoTime();
        timeline.add(process.name, "its process exited with code " + exitCode);
        if (!process.has(ChaosEvent.LeftBehind.class) && !mayGo(process)) {
            violation("%s was healthy, but its process exited with code %d".formatted(process, exitCode));
        }
    }

    private boolean mayGo(ProcessView process) {
        return process.node >= 0 || process.deadly != null;
    }

    /** Reports others that cannot be right about the same iteration if this process is. */
    private void compareWithOthers(ProcessView process, Started state) {
        for (ProcessView other : processes) {
            Started others = other.started(state.iteration());
            if (other != process && others != null && state.contradicts(others)) {
                violation("%s and %s contradict each other: %s, %s".formatted(process, other, state, others));
            }
        }
    }

    /** Records a violation. */
    void violation(String what) {
        violations.add(what);
        timeline.add("BROKEN: " + what);
    }

    /** Returns the violations. */
    List<String> violations() {
        return Collections.unmodifiableList(violations);
    }

    ProcessView process(int index) {
        return processes.get(index);
    }

    /** Returns all processes that have been launched. */
    List<ProcessView> launched() {
        return Collections.unmodifiableList(processes);
    }

    /** Returns the processes that should survive. */
    List<ProcessView> survivors() {
        return processes.stream().filter(ProcessView::isToSurvive).toList();
    }

    /**
     * Returns the iteration in which all survivors are, and nobody else; empty while there is none. Those may be absent who
     * have never been in an iteration: they are starting, or wait as reserves.
     */
    OptionalInt settled() {
        List<ProcessView> members =
                survivors().stream().filter(ProcessView::isMember).toList();
        Started any = members.isEmpty() ? null : members.get(0).latest();
        return any != null
                        && members.size() == any.state().worldSize()
                        && members.stream().allMatch(process -> process.isIn(any.iteration()))
                ? OptionalInt.of(any.iteration())
                : OptionalInt.empty();
    }

    /** Returns whether as many ranks train as in the beginning, in the iteration in which all survivors are. */
    boolean isFull() {
        OptionalInt iteration = settled();
        return iteration.isPresent()
                && witnesses(iteration.getAsInt()).stream()
                        .map(ProcessView::latest)
                        .allMatch(state -> state != null && state.state().activeWorldSize() == active);
    }

    /** Returns the processes that wait although a restart could have admitted them: they waited before this time. */
    List<ProcessView> leftOut(long before) {
        return survivors().stream()
                .filter(process -> process.hasWaitedSince(before))
                .toList();
    }

    /** Returns when the last of these processes has entered an iteration, in which all of them are; empty if one is not. */
    OptionalLong lastEntry(List<ProcessView> together, int iteration) {
        List<Long> entries = together.stream()
                .map(process -> process.entryInto(iteration))
                .flatMap(Stream::ofNullable)
                .toList();
        return entries.size() == together.size()
                ? entries.stream().mapToLong(Long::longValue).max()
                : OptionalLong.empty();
    }

    /**
     * Returns for how many nanoseconds a fault at this time kept those from training who were in the job before it, until they
     * went on together; 0 if it did not interrupt them. Those who take the place of the lost may come later.
     */
    long interruption(long fault, int before, int after) {
        List<ProcessView> witnesses = witnesses(before);
        return IntStream.rangeClosed(before + 1, after)
                .mapToObj(iteration -> lastEntry(witnesses, iteration))
                .flatMapToLong(OptionalLong::stream)
                .map(entry -> entry - fault)
                .filter(nanos -> nanos > 0)
                .findFirst()
                .orElse(0);
    }

    /** Returns whether every process that should be lost is. */
    boolean areLostGone() {
        return processes.stream().allMatch(process -> process.deadly == null || process.isGone());
    }

    /** Returns when and in which iteration a fault happened; null if it has not. */
    @Nullable
    Struck struck(ChaosFault fault) {
        return struck.get(fault.id());
    }

    /** Returns whether a fault has hit a process that had been in an iteration. */
    boolean hasHitMember(ChaosFault fault) {
        Struck hit = struck(fault);
        return hit != null && hit.iteration() >= 0;
    }

    /** Returns the survivors that must report the end of this iteration: those that were in it. */
    List<ProcessView> witnesses(int iteration) {
        return survivors().stream()
                .filter(process -> process.started(iteration) != null)
                .toList();
    }

    /** Returns whether the process of this number was lost before an iteration. */
    boolean hadLeft(int number, int iteration) {
        return processes.stream()
                .filter(process -> process.deadly != null)
                .map(ProcessView::latest)
                .flatMap(Stream::ofNullable)
                .anyMatch(latest -> latest.number() == number && latest.iteration() < iteration);
    }

    /** Returns the numbers of the survivors whose first iteration is this one. */
    Set<Integer> newIn(int iteration) {
        return survivors().stream()
                .map(ProcessView::first)
                .flatMap(Stream::ofNullable)
                .filter(first -> first.iteration() == iteration)
                .map(Started::number)
                .collect(Collectors.toSet());
    }

    /**
     * Returns whether a number that the job has named may belong to a process that was killed after its admission, or after
     * it had founded a generation with others, before it could say that it started its first iteration. Each such number
     * must belong to another one of these processes.
     */
    boolean mayBeLostJoiner(int number, int iteration) {
        Numbered unknown = new Numbered(lifeOf(iteration), number);
        boolean isKnown = processes.stream()
                .map(ProcessView::latest)
                .flatMap(Stream::ofNullable)
                .anyMatch(state -> state.life() == unknown.life && state.number() == number);
        if (isKnown || isLostFounder(number, iteration) || !admitted.contains(unknown)) {
            return !isKnown && isLostFounder(number, iteration);
        }
        unaccounted.add(unknown);
        return unaccounted.size() <= lostBeforeFirst().count();
    }

    /** A founder of a generation has the number of the rank that it was launched as. */
    private boolean isLostFounder(int number, int iteration) {
        return IterationWatch.isFirst(iteration) && lostBeforeFirst().anyMatch(process -> process.rank == number);
    }

    /** Returns whether a process on its way into the job was lost after this time. */
    boolean hasLostJoinerAfter(long nanos) {
        return lostBeforeFirst().anyMatch(process -> process.exitCode == null || process.exitedAt - nanos > 0);
    }

    private Stream<ProcessView> lostBeforeFirst() {
        return processes.stream().filter(process -> process.deadly != null && process.latest() == null);
    }
}
