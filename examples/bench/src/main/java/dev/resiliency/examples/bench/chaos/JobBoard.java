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
 * How a job fares: pure state, changed by what the ranks tell, by what happens to their processes, and by what is done to
 * them. What must never be is noticed at once; what a volley must lead to is for the {@link Judge}.
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

    /** A strike was ordered. From now on its rank may be lost, if it is to be. */
    void ordered(Strike strike) {
        timeline.add("orders strike %d, %s".formatted(strike.id(), strike));
        if (strike.isDeadly()) {
            ranks.get(strike.rank()).struckDeadly(strike);
        }
    }

    /** A strike from outside happens now. */
    void strikes(Strike strike) {
        ChaosEvent.Started latest = ranks.get(strike.rank()).latest();
        told(
                strike.rank(),
                new ChaosEvent.Struck(strike.id(), latest == null ? -1 : latest.iteration(), System.nanoTime()));
    }

    /** A rank has told something. */
    void told(int rank, ChaosEvent event) {
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
            violation("rank %d was healthy, but has left the job: %s: %s"
                    .formatted(rank, left.exception(), left.message()));
        }
    }

    /** A rank has printed what is no event. Of its own crash, the virtual machine may tell. */
    void noise(int rank, String line) {
        timeline.add(System.nanoTime(), rank, "prints: " + line);
    }

    /** The process of a rank has ended. */
    void ended(int rank, int exitCode) {
        timeline.add(System.nanoTime(), rank, "its process has ended with code " + exitCode);
        RankView view = ranks.get(rank);
        view.ended(exitCode);
        if (view.leftovers() == null && !mayGo(rank)) {
            violation("rank %d was healthy, but its process has ended with code %d".formatted(rank, exitCode));
        }
    }

    /** Something is as it must never be. */
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
                violation("in iteration %d, ranks %d and %d both take themselves for rank %d, or active rank %d"
                        .formatted(state.iteration(), rank, other, state.rank(), state.activeRank()));
            }
        }
    }

    RankView rank(int rank) {
        return ranks.get(rank);
    }

    /** The ranks that are to go on. */
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

    /** In which iteration all survivors are, and nobody else is; nothing while they are not in the same one. */
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

    /** Whether every rank that is to be lost is. */
    boolean areLostGone() {
        return ranks.stream().allMatch(rank -> rank.deadly() == null || rank.isGone());
    }

    /** Whether a strike on rank 0 may end the job. */
    boolean mayStoreBeLost() {
        return settings.hosted() && ranks.get(0).deadly() != null;
    }

    /** Whether the process that hosts the store is gone, or stands still. */
    boolean isStoreLost() {
        Strike deadly = ranks.get(0).deadly();
        return mayStoreBeLost() && deadly != null && (ranks.get(0).exitCode() != null || deadly.leavesStandingStill());
    }

    /** Whether all have noticed that the store is lost that can. */
    boolean areAllGone() {
        return IntStream.range(0, ranks.size()).allMatch(rank -> ranks.get(rank).isGone() || waitsForSilentStore(rank));
    }

    /**
     * Whether a rank cannot notice that the store is lost: a spare asks for nothing, it waits to be told; and the kernel
     * of a process that stands still keeps its connections, other than that of a host that is lost indeed.
     */
    boolean waitsForSilentStore(int rank) {
        Strike deadly = ranks.get(0).deadly();
        return isStoreLost()
                && deadly != null
                && deadly.makesSilent()
                && !isActive(rank)
                && !ranks.get(rank).isGone();
    }

    /** When and in which iteration a strike has happened; null if it has not. */
    ChaosEvent.@Nullable Struck struck(Strike strike) {
        return struck.get(strike.id());
    }

    CheckpointWatch checkpoint() {
        return checkpoint;
    }

    /** What was as it must never be. */
    List<String> violations() {
        return Collections.unmodifiableList(violations);
    }
}
