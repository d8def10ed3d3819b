package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.Board.Join;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.fault.PlannedFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a job, as {@code --json} writes it.
 *
 * @param ranks number of ranks started
 * @param survivors number of ranks that finished, reserves included
 * @param steps number of steps of the training
 * @param accuracy on the held-out digits, from 0 to 1; null if no rank finished the training
 * @param restarts in order
 * @param stepsLost number of steps that had to be repeated
 * @param generation how often the job lost all processes and went on from its checkpoint
 * @param worldSizeAtEnd number of ranks that were there at the end: those of the last iteration, and replacements that waited as
 *     spares until a rank is lost
 * @param joins the replacements that were taken in, in order
 * @param wallSeconds from the start of the first process to the end of the last
 * @param problems what is wrong; empty if the job met all expectations
 */
record DemoReport(
        int ranks,
        int survivors,
        int steps,
        @Nullable Double accuracy,
        List<Restart> restarts,
        long stepsLost,
        int generation,
        int worldSizeAtEnd,
        List<Join> joins,
        double wallSeconds,
        List<String> problems) {
    private static final double ACCURACY_TO_REACH = 0.95;

    /** Judges a job that is over. */
    static DemoReport of(Board board, Duration wall) {
        List<RankStatus> survivors = board.ranks.stream()
                .filter(rank -> rank.phase == Phase.FINISHED)
                .toList();
        List<Double> accuracies = survivors.stream()
                .map(rank -> rank.accuracy)
                .filter(accuracy -> !Double.isNaN(accuracy))
                .toList();
        int last = board.ranks.stream().mapToInt(rank -> rank.iteration).max().orElse(0);
        long atEnd = survivors.stream()
                .filter(rank -> rank.hasEntered ? rank.iteration == last : rank.hasWaited && board.hasReserves())
                .count();
        return new DemoReport(
                board.plan.ranks(),
                survivors.size(),
                board.plan.steps(),
                accuracies.isEmpty() ? null : accuracies.get(0),
                board.restarts(),
                board.stepsLost,
                board.generation,
                (int) atEnd,
                board.joins,
                wall.toMillis() / 1e3,
                problems(board, accuracies, atEnd));
    }

    private static List<String> problems(Board board, List<Double> accuracies, long atEnd) {
        List<String> problems = new ArrayList<>(board.problems);
        for (int rank : board.plan.survivors()) {
            if (!board.ranks.get(rank).isOver()) { // a failed rank is already among the problems
                problems.add("rank " + rank + " should have survived, but did not finish");
            }
        }
        for (PlannedFault fault : board.plan.faults()) {
            if (!board.happened.contains(fault)) {
                problems.add("the fault " + fault + " did not happen");
            }
        }
        int ranks = board.plan.ranks();
        if (board.plan.replaced() && atEnd < ranks) {
            String advice = problems.isEmpty() ? ": with more --steps, replacements have more time to join" : "";
            problems.add("the world had %d of %d ranks at the end".formatted(atEnd, ranks) + advice);
        } else if (board.plan.replaced() && accuracies.size() < board.active) {
            problems.add("%d of %d ranks trained at the end".formatted(accuracies.size(), board.active));
        }
        if (accuracies.stream().distinct().count() > 1) {
            problems.add("the ranks finished with different models");
        }
        if (accuracies.stream().anyMatch(accuracy -> accuracy < ACCURACY_TO_REACH)) {
            problems.add("the accuracy on held-out digits is %.1f %%, which is less than %.0f %%"
                    .formatted(100 * accuracies.get(0), 100 * ACCURACY_TO_REACH));
        }
        return problems;
    }

    /** Returns the lines to print at the end. */
    List<String> summary() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("%d of %d ranks finished: %d steps in %.1f s".formatted(survivors, ranks, steps, wallSeconds));
        if (accuracy != null) {
            lines.add("%.1f %% of the held-out digits are classified correctly".formatted(100 * accuracy));
        }
        for (Restart restart : restarts) {
            String from = restart.stateFrom();
            lines.add("RESTARTED " + restart.summary() + (from == null ? "" : "; state from " + from));
        }
        joins.forEach(join -> lines.add("REPLACED: " + join));
        if (!restarts.isEmpty() || generation > 0) {
            lines.add("STEPS LOST: " + stepsLost);
        }
        if (generation > 0) {
            lines.add("STARTED AGAIN from the last checkpoint: the job ended in generation " + generation);
        }
        problems.forEach(problem -> lines.add("FAILED: " + problem));
        return lines;
    }
}
