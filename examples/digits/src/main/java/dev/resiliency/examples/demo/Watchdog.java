package dev.resiliency.examples.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Notices that the job stands still: no step further than ever before, and no rank at its end. Restarts alone are no
 * progress, so a job that restarts for ever stands still.
 */
final class Watchdog {
    private final Duration patience;
    private int furthestStep = -1;
    private long ends = -1;
    private long since;

    Watchdog(Duration patience) {
        this.patience = patience;
    }

    /** Whether nothing has progressed for as long as patience lasts; to be asked often. */
    boolean standsStill(Scoreboard board, long nanos) {
        if (board.furthestStep() != furthestStep || board.ends() != ends) {
            furthestStep = board.furthestStep();
            ends = board.ends();
            since = nanos;
        }
        return nanos - since > patience.toNanos();
    }

    /** Who is to blame: every rank whose process is still there, and what it was at. */
    String complaint(Scoreboard board) {
        List<String> stuck = new ArrayList<>();
        for (int rank = 0; rank < board.ranks().size(); rank++) {
            RankStatus status = board.ranks().get(rank);
            if (!status.hasEnded()) {
                stuck.add("rank %d (%s, step %d)".formatted(rank, status.phase(), status.step()));
            }
        }
        return "nothing has progressed for %d s; the processes of these ranks do not end: %s"
                .formatted(patience.toSeconds(), String.join(", ", stuck));
    }
}
