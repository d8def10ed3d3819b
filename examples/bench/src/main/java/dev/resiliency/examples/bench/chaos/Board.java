package dev.resiliency.examples.bench.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * State of a job, wherever its ranks live: pure data, updated by the events of its processes, and by the faults. Detects
 * violations that hold at any time; the {@link Judge} decides what a batch must lead to.
 *
 * <p>Processes are numbered in the order of their launch. Without agents, the first ones are the ranks of the same numbers.
 */
final class Board {
    private final Size size;
    private final Timeline timeline;
    private final CheckpointWatch checkpoint = new CheckpointWatch();
    private final StepWatch steps = new StepWatch();
    private final IterationWatch iterations;
    private final List<String> violations = new ArrayList<>();
    private final List<ProcessView> processes = new ArrayList<>();
    private final Map<Integer, ChaosEvent.Struck> struck = new HashMap<>();
    /** Numbers that restarts have admitted, and those of them that no process has reported. */
    private final Set<Numbered> admitted = new HashSet<>();

    private final Set<Numbered> unaccounted = new HashSet<>();

    /** The number of a process in its life of the job. */
    private record Numbered(int life, int number) {}

    /**
     * Size of a job.
     *
     * @param ranks number of ranks with which it begins
     * @param active number of those that train at the same time; the others are reserves
     * @param isUnderAgents whether agents start its processes, and judge how they end
     */
    record Size(int ranks, int active, boolean isUnderAgents) {}

    Board(Size size, Timeline timeline) {
        this.size = size;
        this.timeline = timeline;
        iterations = new IterationWatch(size.ranks);
    }

    /** Records that a process of a rank is launched now; returns its number. */
    int launched(int rank, boolean isSupervised) {
        int process = processes.size();
        String name = process < size.ranks ? "rank " + rank : "process %d of rank %d".formatted(process, rank);
        return launched(new ProcessView(name, rank, -1, -1, isSupervised, System.nanoTime()));
    }

    /** Records a process that has been launched; returns its number. */
    int launched(ProcessView process) {
        processes.add(process);
        timeline.add("launches %s%s".formatted(process.name, process.isSupervised ? "" : ", which is not supervised"));
        return processes.size() - 1;
    }

    /** Records the order of a fault. From now on its process may be lost if it is deadly. */
    void ordered(ChaosFault fault) {
        timeline.add("orders fault %d, %s".formatted(fault.id(), fault));
        process(fault.process()).ordered(fault);
    }

    /** Records that a fault from outside happens now. */
    void injected(ChaosFault fault) {
        ChaosEvent.Started latest = process(fault.process()).latest();
        apply(
                fault.process(),
                new ChaosEvent.Struck(fault.id(), latest == null ? -1 : latest.iteration(), System.nanoTime()));
    }

    /** Applies an event that a process reported. */
    void apply(int process, ChaosEvent event) {
        ProcessView view = process(process);
        if (event instanceof ChaosEvent.Saved saved) {
            timeline.addProgress(event.nanos(), view.name, event.describe());
            checkpoint.saved(saved).ifPresent(this::violation);
            view.savedIn = Math.max(view.savedIn, saved.iteration());
            return;
        }
        timeline.add(event.nanos(), view.name, event.describe());
        view.apply(event);
        if (event instanceof ChaosEvent.Started started) {
            int rank = view.rank < 0 ? started.number() : view.rank; // a spare process has the rank of another one
            iterations.started(process, rank, started).forEach(this::violation);
            compareWithOthers(process, started);
        } else if (event instanceof ChaosEvent.Restored restored) {
            checkpoint.restored(restored).ifPresent(this::violation);
            steps.recovered(view.name, restored).forEach(this::violation);
        } else if (event instanceof ChaosEvent.Restarted restarted) {
            int life = lifeOf(restarted.iteration());
            restarted.joined().forEach(number -> admitted.add(new Numbered(life, number)));
        } else if (event instanceof ChaosEvent.Struck fault) {
            struck.put(fault.fault(), fault);
        } else if (event instanceof ChaosEvent.LeftBehind leftovers) {
            boolean isExcused = view.deadly != null && view.deadly.mayLeaveSomething();
            if (!leftovers.what().isEmpty() && !isExcused) {
                violation("%s left behind %s".formatted(view.name, leftovers.what()));
            }
        } else if (event instanceof ChaosEvent.Left left && !mayGo(view)) {
            violation(
                    "%s was healthy, but left the job: %s: %s".formatted(view.name, left.exception(), left.message()));
        }
    }

    private int lifeOf(int iteration) {
        return Objects.requireNonNullElse(iterations.life(iteration), 0);
    }

    /** Records a line that is not an event. A JVM may print lines of its own when it crashes. */
    void unexpectedLine(int process, String line) {
        timeline.add(System.nanoTime(), process(process).name, "prints: " + line);
    }

    /** Records that a process exited. */
    void ended(int process, int exitCode) {
        ProcessView view = process(process);
        timeline.add(System.nanoTime(), view.name, "its process exited with code " + exitCode);
        view.ended(exitCode, System.nanoTime());
        if (view.leftovers == null && !mayGo(view)) {
            violation("%s was healthy, but its process exited with code %d".formatted(view.name, exitCode));
        }
    }

    private boolean mayGo(ProcessView view) {
        return size.isUnderAgents || view.deadly != null;
    }

    /** Reports in which respects two processes cannot both be right about the same iteration. */
    private void compareWithOthers(int process, ChaosEvent.Started state) {
        for (int other = 0; other < processes.size(); other++) {
            ChaosEvent.Started others = process(other).started(state.iteration());
            if (other == process || others == null) {
                continue;
            }
            if (others.worldSize() != state.worldSize() || others.activeWorldSize() != state.activeWorldSize()) {
                violation("in iteration %d, %s is in a world of %d (%d active), but %s in one of %d (%d active)"
                        .formatted(
                                state.iteration(),
                                process(process).name,
                                state.worldSize(),
                                state.activeWorldSize(),
                                process(other).name,
                                others.worldSize(),
                                others.activeWorldSize()));
            }
            if (others.rank() == state.rank()
                    || others.number() == state.number()
                    || (state.isActive() && others.activeRank() == state.activeRank())) {
                violation("in iteration %d, %s and %s both claim rank %d, number %d, or active rank %d"
                        .formatted(
                                state.iteration(),
                                process(process).name,
                                process(other).name,
                                state.rank(),
                                state.number(),
                                state.activeRank()));
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

    StepWatch steps() {
        return steps;
    }

    CheckpointWatch checkpoint() {
        return checkpoint;
    }

    IterationWatch iterations() {
        return iterations;
    }

    ProcessView process(int process) {
        return processes.get(process);
    }

    String nameOf(int process) {
        return process(process).name;
    }

    /** Returns the numbers of all processes that have been launched. */
    List<Integer> launched() {
        return IntStream.range(0, processes.size()).boxed().toList();
    }

    /** Returns the processes that should survive. */
    List<Integer> survivors() {
        return launched().stream()
                .filter(process -> process(process).isToSurvive())
                .toList();
    }

    /** Returns the processes that should survive, and that the job has admitted or can admit at any time. */
    List<Integer> live() {
        return survivors().stream()
                .filter(process -> isMember(process) || isWaiting(process))
                .toList();
    }

    boolean isActive(int process) {
        ChaosEvent.Started latest = process(process).latest();
        return latest != null && latest.isActive();
    }

    /** Returns whether a process has been in an iteration of the job. */
    boolean isMember(int process) {
        return process(process).latest() != null;
    }

    private boolean isWaiting(int process) {
        return !isMember(process) && process(process).preparedAt != null;
    }

    /**
     * Returns the iteration in which all survivors are, and nobody else; empty while there is none. Those may be absent who
     * have never been in an iteration: they are starting, or wait as reserves.
     */
    OptionalInt settled() {
        int iteration = -1;
        int worldSize = 0;
        int members = 0;
        for (int process : survivors()) {
            ChaosEvent.Started latest = process(process).latest();
            if (latest == null) {
                continue;
            }
            if (process(process).entryInto(latest.iteration()) == null
                    || (iteration >= 0 && latest.iteration() != iteration)) {
                return OptionalInt.empty();
            }
            iteration = latest.iteration();
            worldSize = latest.worldSize();
            members++;
        }
        return iteration < 0 || members != worldSize ? OptionalInt.empty() : OptionalInt.of(iteration);
    }

    /** Returns whether as many ranks train as in the beginning, in the iteration in which all survivors are. */
    boolean isFull() {
        OptionalInt iteration = settled();
        return iteration.isPresent()
                && survivors().stream()
                        .map(process -> process(process).started(iteration.getAsInt()))
                        .filter(Objects::nonNull)
                        .allMatch(state -> state.activeWorldSize() == size.active);
    }

    /** Returns the processes that wait although a restart could have admitted them: they waited before this time. */
    List<Integer> leftOut(long before) {
        return survivors().stream()
                .filter(process -> {
                    Long prepared = process(process).preparedAt;
                    return isWaiting(process) && prepared != null && prepared - before < 0;
                })
                .toList();
    }

    /** Returns when the last survivor has entered an iteration. */
    long lastEntry(int iteration) {
        return survivors().stream()
                .map(process -> process(process).entryInto(iteration))
                .flatMap(Stream::ofNullable)
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
    }

    /**
     * Returns when those who were in the job before a loss went on together. Those who take the place of the lost may come
     * later.
     */
    long recoveredAt(int before, int after) {
        List<Integer> witnesses = witnesses(before);
        int together = iterations().between(before + 1, after).stream()
                .filter(iteration -> !witnesses.isEmpty()
                        && witnesses.stream()
                                .allMatch(process -> process(process).entryInto(iteration) != null))
                .findFirst()
                .orElse(after);
        return witnesses.stream()
                .map(process -> process(process).entryInto(together))
                .flatMap(Stream::ofNullable)
                .mapToLong(Long::longValue)
                .max()
                .orElseGet(() -> lastEntry(after));
    }

    /** Returns whether every process that should be lost is. */
    boolean areLostGone() {
        return processes.stream().allMatch(process -> process.deadly == null || process.isGone());
    }

    /** Returns when and in which iteration a fault happened; null if it has not. */
    ChaosEvent.@Nullable Struck struck(ChaosFault fault) {
        return struck.get(fault.id());
    }

    /** Returns whether a fault has hit a process that had been in an iteration. */
    boolean hasHitMember(ChaosFault fault) {
        ChaosEvent.Struck hit = struck(fault);
        return hit != null && hit.iteration() >= 0;
    }

    /** Returns the survivors that must report the end of this iteration: those that were in it. */
    List<Integer> witnesses(int iteration) {
        return survivors().stream()
                .filter(process -> process(process).started(iteration) != null)
                .toList();
    }

    /** Returns the number by which the job names a process; -1 if it has not told it, and may be any. */
    int numberOf(int process) {
        ChaosEvent.Started latest = process(process).latest();
        return latest == null ? -1 : latest.number();
    }

    /** Returns whether the process of this number was lost before an iteration. */
    boolean hadLeft(int number, int iteration) {
        return processes.stream()
                .filter(process -> process.deadly != null)
                .map(ProcessView::latest)
                .flatMap(Stream::ofNullable)
                .anyMatch(latest -> latest.number() == number && latest.iteration() < iteration);
    }

    /** Returns the survivors whose first iteration is this one. */
    Set<Integer> newIn(int iteration) {
        return survivors().stream()
                .map(this::process)
                .map(ProcessView::first)
                .flatMap(Stream::ofNullable)
                .filter(first -> first.iteration() == iteration)
                .map(ChaosEvent.Started::number)
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
        return IterationWatch.isFirst(iteration) && lostBeforeFirst().anyMatch(view -> view.rank == number);
    }

    /** Returns whether a process on its way into the job was lost after this time. */
    boolean hasLostJoinerAfter(long nanos) {
        return lostBeforeFirst().anyMatch(view -> view.exitCode == null || view.exitedAt - nanos > 0);
    }

    private Stream<ProcessView> lostBeforeFirst() {
        return processes.stream().filter(view -> view.deadly != null && view.latest() == null);
    }
}
