package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Stage;
import java.util.ArrayList;
import java.util.HashMap;
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
 * State of a job: pure data, updated by the events of its processes, and by the faults. Detects violations that hold at any
 * time; the {@link Judge} decides what a batch must lead to.
 *
 * <p>Processes are numbered in the order of their launch. The first ones are the ranks of the same numbers.
 */
final class JobBoard extends Board {
    private final JobSettings settings;
    private final Timeline timeline;
    private final List<ProcessView> processes = new ArrayList<>();
    private final LostJoiners lostJoiners = new LostJoiners();
    private final Map<Integer, ChaosEvent.Struck> struck = new HashMap<>();

    JobBoard(JobSettings settings, Timeline timeline) {
        super(settings.ranks(), timeline);
        this.settings = settings;
        this.timeline = timeline;
        for (int rank = 0; rank < settings.ranks(); rank++) {
            processes.add(new ProcessView(rank, settings.replaces(), System.nanoTime()));
        }
    }

    /** Records that another process of a rank is launched now; returns its number. */
    int launched(int rank, boolean isSupervised) {
        processes.add(new ProcessView(rank, isSupervised, System.nanoTime()));
        int process = processes.size() - 1;
        timeline.add("launches %s%s".formatted(nameOf(process), isSupervised ? "" : ", which is not supervised"));
        return process;
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
        watch(process, view.rank, nameOf(process), event);
        view.apply(event);
        if (event instanceof ChaosEvent.Started started) {
            compareWithOthers(process, started);
        } else if (event instanceof ChaosEvent.Restarted restarted) {
            int generation = Objects.requireNonNullElse(iterations().generation(restarted.iteration()), 0);
            restarted.joined().forEach(number -> lostJoiners.admitted(generation, number));
        } else if (event instanceof ChaosEvent.Struck fault) {
            struck.put(fault.fault(), fault);
        } else if (event instanceof ChaosEvent.LeftBehind leftovers) {
            checkLeftovers(process, leftovers);
        } else if (event instanceof ChaosEvent.Left left && !mayGo(process)) {
            violation("%s was healthy, but left the job: %s: %s"
                    .formatted(nameOf(process), left.exception(), left.message()));
        }
    }

    private void checkLeftovers(int process, ChaosEvent.LeftBehind leftovers) {
        ChaosFault deadly = process(process).deadly;
        boolean excused = deadly != null && deadly.mayLeaveSomething();
        if (!leftovers.what().isEmpty() && !excused) {
            violation("%s left behind %s".formatted(nameOf(process), leftovers.what()));
        }
    }

    /** Records a line that is not an event. A JVM may print lines of its own when it crashes. */
    void unexpectedLine(int process, String line) {
        timeline.add(System.nanoTime(), nameOf(process), "prints: " + line);
    }

    /** Records that a process exited. */
    void ended(int process, int exitCode) {
        timeline.add(System.nanoTime(), nameOf(process), "its process exited with code " + exitCode);
        ProcessView view = process(process);
        view.ended(exitCode, System.nanoTime());
        if (view.leftovers == null && !mayGo(process)) {
            violation("%s was healthy, but its process exited with code %d".formatted(nameOf(process), exitCode));
        }
    }

    private boolean mayGo(int process) {
        return process(process).deadly != null || mayStoreBeLost();
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
                                nameOf(process),
                                state.worldSize(),
                                state.activeWorldSize(),
                                nameOf(other),
                                others.worldSize(),
                                others.activeWorldSize()));
            }
            if (others.rank() == state.rank()
                    || others.number() == state.number()
                    || (state.isActive() && others.activeRank() == state.activeRank())) {
                violation("in iteration %d, %s and %s both claim rank %d, number %d, or active rank %d"
                        .formatted(
                                state.iteration(),
                                nameOf(process),
                                nameOf(other),
                                state.rank(),
                                state.number(),
                                state.activeRank()));
            }
        }
    }

    ProcessView process(int process) {
        return processes.get(process);
    }

    /** Returns the numbers of all processes that have been launched. */
    List<Integer> launched() {
        return IntStream.range(0, processes.size()).boxed().toList();
    }

    /** Returns {@code rank 3}, or {@code process 12 of rank 3} for one that was launched later. */
    String nameOf(int process) {
        return process < settings.ranks()
                ? "rank " + process
                : "process %d of rank %d".formatted(process, process(process).rank);
    }

    /** Returns the processes that should survive. */
    List<Integer> survivors() {
        return launched().stream()
                .filter(process -> process(process).deadly == null)
                .toList();
    }

    /** Returns the processes that should survive, and that the job has admitted or can admit at any time. */
    List<Integer> live() {
        return survivors().stream()
                .filter(process -> !settings.replaces() || isMember(process) || isWaiting(process))
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
        return !isMember(process) && process(process).reached(Stage.MONITORED) != null;
    }

    /**
     * Returns the iteration in which all survivors are, and nobody else; empty while there is none. Where the job replaces
     * ranks, those may be absent who have never been in an iteration: they are starting, or wait as reserves.
     */
    OptionalInt settled() {
        int iteration = -1;
        int worldSize = 0;
        int members = 0;
        for (int process : survivors()) {
            ChaosEvent.Started latest = process(process).latest();
            if (latest == null && settings.replaces()) {
                continue;
            }
            if (latest == null
                    || process(process).entryInto(latest.iteration()) == null
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
                        .allMatch(state -> state.activeWorldSize() == settings.active());
    }

    /** Returns the processes that wait although a restart could have admitted them: they waited before this time. */
    List<Integer> leftOut(long before) {
        return survivors().stream()
                .filter(process -> {
                    Long monitored = process(process).reached(Stage.MONITORED);
                    return isWaiting(process) && monitored != null && monitored - before < 0;
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

    /** Returns whether a fault on rank 0 may end the job. */
    boolean mayStoreBeLost() {
        return settings.hosted() && process(0).deadly != null;
    }

    /** Returns whether the process that hosts the store is gone or frozen. */
    boolean isStoreLost() {
        ChaosFault deadly = process(0).deadly;
        return mayStoreBeLost() && deadly != null && (process(0).exitCode != null || deadly.leavesStandingStill());
    }

    /** Returns whether all processes that can notice have noticed that the store is lost. */
    boolean areAllGone() {
        return launched().stream().allMatch(process -> process(process).isGone() || waitsForSilentStore(process));
    }

    /**
     * Returns whether a process cannot notice that the store is lost: a reserve sends no requests and waits for pushes, and
     * the kernel of a frozen process keeps its connections open, unlike a host that is really lost.
     */
    boolean waitsForSilentStore(int process) {
        ChaosFault deadly = process(0).deadly;
        return isStoreLost()
                && deadly != null
                && deadly.makesSilent()
                && !isActive(process)
                && !process(process).isGone();
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
                .filter(process -> !settings.replaces() || process(process).started(iteration) != null)
                .toList();
    }

    /** Returns the number by which the job names a process; -1 if it has not told it, and may be any. */
    int numberOf(int process) {
        Integer number = process(process).number();
        return number != null ? number : settings.replaces() ? -1 : process;
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
     * it had founded a generation with others, before it could say that it started its first iteration.
     */
    boolean mayBeLostJoiner(int number, int iteration) {
        int generation = Objects.requireNonNullElse(iterations().generation(iteration), 0);
        boolean isKnown = processes.stream()
                .map(ProcessView::latest)
                .flatMap(Stream::ofNullable)
                .anyMatch(state -> state.generation() == generation && state.number() == number);
        return !isKnown
                && (isLostFounder(number, iteration)
                        || lostJoiners.mayBe(
                                generation, number, (int) lostBeforeFirst().count()));
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
