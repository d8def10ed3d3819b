package dev.resiliency.examples.bench.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * State of a job: pure data, updated by the events of the ranks and of their processes, and by the strikes. Detects
 * violations that hold at any time; the {@link Judge} decides what a volley must lead to.
 */
final class JobBoard {
    private final JobSettings settings;
    private final Timeline timeline;
    private final List<RankView> ranks;
    private final CheckpointWatch checkpoint = new CheckpointWatch();
    private final Map<Integer, ChaosEvent.Struck> struck = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    JobBoard(JobSettings settings, Timeline timeline) {
        this.settings = settings;
        this.timeline = timeline;
        ranks = Stream.generate(RankView::new).limit(settings.ranks()).toList();
    }

    /** Records the order of a strike. From now on its rank may be lost if it is deadly. */
    void ordered(Strike strike) {
        timeline.add("orders strike %d, %s".formatted(strike.id(), strike));
        if (strike.isDeadly()) {
            ranks.get(strike.rank()).struckDeadly(strike);
        }
    }

    /** Records that a strike from outside happens now. */
    void strikes(Strike strike) {
        ChaosEvent.Started latest = ranks.get(strike.rank()).latest();
        apply(
                strike.rank(),
                new ChaosEvent.Struck(strike.id(), latest == null ? -1 : latest.iteration(), System.nanoTime()));
    }

    /** Applies an event that a rank reported. */
    void apply(int rank, ChaosEvent event) {
        timeline.add(event.nanos(), rank, EventText.of(event));
        ranks.get(rank).apply(event);
        if (event instanceof ChaosEvent.Started started) {
            compareWithOthers(rank, started);
        } else if (event instanceof ChaosEvent.Saved saved) {
            checkpoint.saved(saved).ifPresent(this::violation);
        } else if (event instanceof ChaosEvent.Restored restored) {
            checkpoint.restored(restored).ifPresent(this::violation);
        } else if (event instanceof ChaosEvent.Struck strike) {
            struck.put(strike.strike(), strike);
        } else if (event instanceof ChaosEvent.Left left && !mayGo(rank)) {
            violation(
                    "rank %d was healthy, but left the job: %s: %s".formatted(rank, left.exception(), left.message()));
        }
    }

    /** Records a line that is not an event. A JVM may print lines of its own when it crashes. */
    void unexpectedLine(int rank, String line) {
        timeline.add(System.nanoTime(), rank, "prints: " + line);
    }

    /** Records that the process of a rank exited. */
    void ended(int rank, int exitCode) {
        timeline.add(System.nanoTime(), rank, "its process exited with code " + exitCode);
        RankView view = ranks.get(rank);
        view.ended(exitCode);
        if (view.leftovers() == null && !mayGo(rank)) {
            violation("rank %d was healthy, but its process exited with code %d".formatted(rank, exitCode));
        }
    }

    /** Records a violation. */
    void violation(String what) {
        violations.add(what);
        timeline.add("BROKEN: " + what);
    }

    private boolean mayGo(int rank) {
        return ranks.get(rank).deadly() != null || mayStoreBeLost();
    }

    private void compareWithOthers(int rank, ChaosEvent.Started state) {
        for (int other = 0; other < ranks.size(); other++) {
            ChaosEvent.Started others = ranks.get(other).started(state.iteration());
            if (other == rank || others == null) {
                continue;
            }
            if (others.worldSize() != state.worldSize() || others.activeWorldSize() != state.activeWorldSize()) {
                violation(
                        "in iteration %d, rank %d is in a world of %d (%d active), but rank %d in one of %d (%d active)"
                                .formatted(
                                        state.iteration(),
                                        rank,
                                        state.worldSize(),
                                        state.activeWorldSize(),
                                        other,
                                        others.worldSize(),
                                        others.activeWorldSize()));
            }
            if (others.rank() == state.rank() || (state.isActive() && others.activeRank() == state.activeRank())) {
                violation("in iteration %d, ranks %d and %d both claim rank %d, or active rank %d"
                        .formatted(state.iteration(), rank, other, state.rank(), state.activeRank()));
            }
        }
    }

    RankView rank(int rank) {
        return ranks.get(rank);
    }

    /** Returns the ranks that should survive. */
    List<Integer> survivors() {
        return IntStream.range(0, ranks.size())
                .filter(rank -> ranks.get(rank).deadly() == null)
                .boxed()
                .toList();
    }

    boolean isActive(int rank) {
        ChaosEvent.Started latest = ranks.get(rank).latest();
        return latest != null && latest.isActive();
    }

    /** Returns the iteration of exactly the survivors; empty while they are not in the same one. */
    OptionalInt settled() {
        List<Integer> survivors = survivors();
        int iteration = -1;
        for (int rank : survivors) {
            ChaosEvent.Started latest = ranks.get(rank).latest();
            if (latest == null
                    || latest.worldSize() != survivors.size()
                    || ranks.get(rank).entryInto(latest.iteration()) == null
                    || (iteration >= 0 && latest.iteration() != iteration)) {
                return OptionalInt.empty();
            }
            iteration = latest.iteration();
        }
        return iteration < 0 ? OptionalInt.empty() : OptionalInt.of(iteration);
    }

    /** Returns whether every rank that should be lost is. */
    boolean areLostGone() {
        return ranks.stream().allMatch(rank -> rank.deadly() == null || rank.isGone());
    }

    /** Returns whether a strike on rank 0 may end the job. */
    boolean mayStoreBeLost() {
        return settings.hosted() && ranks.get(0).deadly() != null;
    }

    /** Returns whether the process that hosts the store is gone or frozen. */
    boolean isStoreLost() {
        Strike deadly = ranks.get(0).deadly();
        return mayStoreBeLost() && deadly != null && (ranks.get(0).exitCode() != null || deadly.leavesStandingStill());
    }

    /** Returns whether all ranks that can notice have noticed that the store is lost. */
    boolean areAllGone() {
        return IntStream.range(0, ranks.size()).allMatch(rank -> ranks.get(rank).isGone() || waitsForSilentStore(rank));
    }

    /**
     * Returns whether a rank cannot notice that the store is lost: a reserve sends no requests and waits for pushes, and the
     * kernel of a frozen process keeps its connections open, unlike a host that is really lost.
     */
    boolean waitsForSilentStore(int rank) {
        Strike deadly = ranks.get(0).deadly();
        return isStoreLost()
                && deadly != null
                && deadly.makesSilent()
                && !isActive(rank)
                && !ranks.get(rank).isGone();
    }

    /** Returns when and in which iteration a strike happened; null if it has not. */
    ChaosEvent.@Nullable Struck struck(Strike strike) {
        return struck.get(strike.id());
    }

    CheckpointWatch checkpoint() {
        return checkpoint;
    }

    /** Returns the violations. */
    List<String> violations() {
        return Collections.unmodifiableList(violations);
    }
}
