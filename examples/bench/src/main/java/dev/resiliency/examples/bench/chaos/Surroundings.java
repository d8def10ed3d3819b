package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What happens around a job and is none of its business: processes that do not belong to it, and other clients of its
 * store. It goes on while the job restarts. Confined to the thread of the job.
 */
final class Surroundings implements AutoCloseable {
    private static final Duration BUSY = Duration.ofMillis(1500);

    private final JobControl control;
    private final JobSettings settings;
    private final int storePort;
    private final Supervisor supervisor;
    private final Strays strays;
    private @Nullable Neighbour neighbour;

    Surroundings(JobControl control, int storePort, Supervisor supervisor) {
        this.control = control;
        this.settings = control.settings;
        this.storePort = storePort;
        this.supervisor = supervisor;
        strays = new Strays(control, storePort);
    }

    /** Draws what begins now. */
    void begin(List<Integer> live) {
        ChaosPlan plan = control.plan;
        List<Integer> ranks = IntStream.range(0, settings.ranks()).boxed().toList();
        List<Stray> drawn = plan.strays(settings.replaces() ? ranks : live, settings.ranks());
        if (!drawn.isEmpty() && !strays.isBehind()) {
            control.tally.disturbed(drawn.get(0).kind());
            strays.add(drawn);
        }
        if (plan.hasSecondProcess(supervisor.seconds())) {
            control.tally.disturbed(Disturbance.STARTED_TWICE);
            supervisor.startSecond(plan.oneOf(ranks));
        }
        if (plan.hasNeighbour() && neighbour == null) {
            control.timeline.add("a neighbour keeps the store busy");
            control.tally.disturbed(Disturbance.NEIGHBOUR);
            neighbour = new Neighbour(storePort, settings.scope(), BUSY);
        }
    }

    /** Starts processes of a job that is complete. */
    void comeLate() {
        List<Stray> late = control.plan.late(settings.ranks());
        if (!late.isEmpty()) {
            control.tally.disturbed(Disturbance.LATE);
            strays.add(late);
        }
    }

    /** Goes on. Must be called now and then. */
    void step() {
        strays.step();
        Neighbour last = neighbour;
        if (last != null && last.isOver()) {
            neighbour = null;
            control.tally.add(Count.NEIGHBOUR_BYTES, last.bytes());
            if (last.bytes() == 0 && !control.board.mayStoreBeLost()) {
                control.board.violation("the store has answered none of the requests of a neighbour");
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
