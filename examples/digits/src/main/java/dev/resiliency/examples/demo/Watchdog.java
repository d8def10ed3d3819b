package dev.resiliency.examples.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Notices that the job makes no progress: no rank gets further than before, and none ends. Restarts alone are not
 * progress, so a job that restarts forever is stuck.
 */
final class Watchdog {
    private final Duration limit;
    private int furthestStep = -1;
    private long ends = -1;
    private long since;

    Watchdog(Duration limit) {
        this.limit = limit;
    }

    /** Returns whether the job has made no progress for longer than the limit; must be called often. */
    boolean standsStill(Scoreboard board, long nanos) {
        if (board.furthestStep() != furthestStep || board.ends() != ends) {
            furthestStep = board.furthestStep();
            ends = board.ends();
            since = nanos;
        }
        return nanos - since > limit.toNanos();
    }

    /** Names every rank whose process is still there, and what it was doing. */
    String complaint(Scoreboard board) {
        List<String> stuck = new ArrayList<>();
        for (int rank = 0; rank < board.ranks().size(); rank++) {
            RankStatus status = board.ranks().get(rank);
            if (!status.hasEnded()) {
                stuck.add("rank %d (%s, step %d)".formatted(rank, status.phase(), status.step()));
            }
        }
        return "no progress for %d s; these ranks are still running: %s"
                .formatted(limit.toSeconds(), String.join(", ", stuck));
    }
}
