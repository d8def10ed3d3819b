package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.inprocess.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Judges a job that is over. */
final class Verdict {
    static final double ACCURACY_TO_REACH = 0.95;

    private Verdict() {}

    /** All that is wrong; nothing if the job has done what it should. */
    static List<String> problems(Scoreboard board) {
        List<String> problems = new ArrayList<>(board.problems());
        for (int rank : board.scenario().survivors()) {
            if (!board.ranks().get(rank).isOver()) { // of one that has failed the reason is told already
                problems.add("rank " + rank + " should have survived, but has not come to its end");
            }
        }
        for (Fault fault : board.scenario().faults()) {
            if (!board.injected().contains(fault)) {
                problems.add("the fault " + fault + " has not happened");
            }
        }
        double[] accuracies = accuracies(board).distinct().toArray();
        if (accuracies.length > 1) {
            problems.add("the ranks have ended with different models");
        }
        for (double accuracy : accuracies) {
            if (accuracy < ACCURACY_TO_REACH) {
                problems.add("the accuracy on held-out digits is %.1f %%, which is less than %.0f %%"
                        .formatted(100 * accuracy, 100 * ACCURACY_TO_REACH));
            }
        }
        return problems;
    }

    /** The initial ranks that have come to the end of the training, spares included. */
    static int[] survivors(Scoreboard board) {
        return IntStream.range(0, board.ranks().size())
                .filter(rank -> board.ranks().get(rank).phase() == Phase.FINISHED)
                .toArray();
    }

    /** The accuracy on held-out digits; nothing if no rank has trained to the end. */
    static OptionalDouble accuracy(Scoreboard board) {
        return accuracies(board).findFirst();
    }

    private static DoubleStream accuracies(Scoreboard board) {
        return IntStream.of(survivors(board))
                .mapToDouble(rank -> board.ranks().get(rank).accuracy())
                .filter(accuracy -> !Double.isNaN(accuracy));
    }
}
