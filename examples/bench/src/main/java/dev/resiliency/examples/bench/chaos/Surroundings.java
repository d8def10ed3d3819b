package dev.resiliency.examples.bench.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens around a job and is none of its business: processes that do not belong to it, and other clients of its
 * store. It goes on while the job restarts. Confined to the thread of the job.
 */
final class Surroundings implements AutoCloseable {
    private static final Duration BUSY = Duration.ofMillis(1500);

    private final JobSettings settings;
    private final Dice dice;
    private final int storePort;
    private final JobBoard board;
    private final Tally tally;
    private final Timeline timeline;
    private final Strays strays;
    private @Nullable Neighbour neighbour;

    Surroundings(
            JobSettings settings,
            Dice dice,
            int storePort,
            Path directory,
            JobBoard board,
            Inbox inbox,
            Tally tally,
            Timeline timeline) {
        this.settings = settings;
        this.dice = dice;
        this.storePort = storePort;
        this.board = board;
        this.tally = tally;
        this.timeline = timeline;
        strays = new Strays(settings, storePort, directory, board, inbox, tally, timeline);
    }

    /** Draws what begins now. */
    void begin(List<Integer> live) {
        List<Stray> drawn = dice.strays(live, settings.ranks());
        if (!drawn.isEmpty() && !strays.isBehind()) {
            tally.disturbed(drawn.get(0).kind());
            strays.add(drawn);
        }
        if (dice.hasNeighbour() && neighbour == null) {
            timeline.add("a neighbour keeps the store busy");
            tally.disturbed(Disturbance.NEIGHBOUR);
            neighbour = new Neighbour(storePort, settings.scope(), BUSY);
        }
    }

    /** Goes on. Must be called now and then. */
    void step() {
        strays.step();
        Neighbour last = neighbour;
        if (last != null && last.isOver()) {
            neighbour = null;
            tally.neighbour(last.bytes());
            if (last.bytes() == 0 && !board.mayStoreBeLost()) {
                board.violation("the store has answered none of the requests of a neighbour");
            }
        }
    }

    /** Returns whether nothing is left of it. */
    boolean isOver() {
        return strays.areOver() && neighbour == null;
    }

    /** Ends its processes. */
    @Override
    public void close() {
        strays.close();
    }
}
