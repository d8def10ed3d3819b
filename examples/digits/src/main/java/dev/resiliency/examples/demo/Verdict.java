package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.RankStatus.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Judges a finished job. */
final class Verdict {
    static final double ACCURACY_TO_REACH = 0.95;

    private Verdict() {}

    /** Returns what is wrong; empty if the job met all expectations. */
    static List<String> problems(Scoreboard board) {
        List<String> problems = new ArrayList<>(board.problems());
        for (int rank : board.scenario().survivors()) {
            if (!board.ranks().get(rank).isOver()) { // a failed rank is already among the problems
                problems.add("rank " + rank + " should have survived, but did not finish");
            }
        }
        for (DemoFault fault : board.scenario().allFaults()) {
            if (!board.happened().contains(fault)) {
                problems.add("the fault " + fault + " did not happen");
            }
        }
        if (board.scenario().replace()) {
            requireWholeWorld(board, problems);
        }
        double[] accuracies = accuracies(board).distinct().toArray();
        if (accuracies.length > 1) {
            problems.add("the ranks finished with different models");
        }
        for (double accuracy : accuracies) {
            if (accuracy < ACCURACY_TO_REACH) {
                problems.add("the accuracy on held-out digits is %.1f %%, which is less than %.0f %%"
                        .formatted(100 * accuracy, 100 * ACCURACY_TO_REACH));
            }
        }
        return problems;
    }

    private static void requireWholeWorld(Scoreboard board, List<String> problems) {
        int ranks = board.scenario().ranks();
        int active = board.scenario().active();
        long trained = accuracies(board).count();
        if (worldSizeAtEnd(board) < ranks) {
            String advice = problems.isEmpty() ? ": with more --steps, replacements have more time to join" : "";
            problems.add("the world had %d of %d ranks at the end".formatted(worldSizeAtEnd(board), ranks) + advice);
        } else if (trained < active) {
            problems.add("%d of %d ranks trained at the end".formatted(trained, active));
        }
    }

    /** Returns the ranks that finished the training, reserves included. */
    static int[] survivors(Scoreboard board) {
        return IntStream.range(0, board.ranks().size())
                .filter(rank -> board.ranks().get(rank).phase() == Phase.FINISHED)
                .toArray();
    }

    /**
     * Returns how many ranks were there at the end: those of the last iteration and, in a job with reserves, replacements
     * that waited to take over.
     */
    static int worldSizeAtEnd(Scoreboard board) {
        int last = board.ranks().stream().mapToInt(RankStatus::iteration).max().orElse(0);
        return (int) IntStream.of(survivors(board))
                .mapToObj(board.ranks()::get)
                .filter(rank -> rank.hasEntered()
                        ? rank.iteration() == last
                        : rank.hasWaited() && board.scenario().hasSpares())
                .count();
    }

    /** Returns the accuracy on held-out digits; empty if no rank finished the training. */
    static OptionalDouble accuracy(Scoreboard board) {
        return accuracies(board).findFirst();
    }

    private static DoubleStream accuracies(Scoreboard board) {
        return IntStream.of(survivors(board))
                .mapToDouble(rank -> board.ranks().get(rank).accuracy())
                .filter(accuracy -> !Double.isNaN(accuracy));
    }
}
