package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.RestartReport;
import java.util.ArrayList;
import java.util.List;

/** The events of one restart: its phases, each of which begins when the one before it ends, and the whole. */
public final class RestartRecording {
    private final RestartEvent whole = RestartEvent.begun();
    private final List<RestartPhaseEvent> phases = new ArrayList<>();
    private RestartPhaseEvent current = RestartPhaseEvent.begun();

    /** A phase has ended. */
    public void ended(RestartReport.Phase phase) {
        current.ended(phase);
        phases.add(current);
        current = RestartPhaseEvent.begun();
    }

    /** The restart has ended. */
    public void ended() {
        whole.ended();
    }

    /** Hands all to the recorder. */
    public void record(RestartReport report) {
        for (RestartPhaseEvent phase : phases) {
            phase.record(report);
        }
        whole.record(report);
    }
}
