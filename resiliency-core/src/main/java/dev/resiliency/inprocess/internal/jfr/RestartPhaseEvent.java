package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.RestartReport;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A phase of a restart on this rank. */
@Name("dev.resiliency.RestartPhase")
@Label("Restart Phase")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class RestartPhaseEvent extends RankEvent {
    @Label("Phase")
    private @Nullable String phase;

    private RestartPhaseEvent() {}

    /** Begins the event. */
    static RestartPhaseEvent begun() {
        RestartPhaseEvent event = new RestartPhaseEvent();
        event.start();
        return event;
    }

    /** Ends the event; {@link #record} commits it later. */
    void ended(RestartReport.Phase which) {
        phase = which.name();
        end();
    }

    /** Commits the event if it is being recorded. */
    void record(RestartReport restart) {
        if (shouldCommit()) {
            initialRank = restart.state().initialRank();
            iteration = restart.interrupted();
            hand();
        }
    }
}
