package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.RestartReport.StoppedBy;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.jfr.RestartEvent;
import dev.resiliency.inprocess.internal.jfr.RestartPhaseEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Measures the phases of one restart. Confined to the monitor thread. */
final class RestartTimer {
    private final RestartEvent event = RestartEvent.begun();
    private final List<RestartPhaseEvent> phaseEvents = new ArrayList<>();
    private final Map<Phase, Duration> phases = new EnumMap<>(Phase.class);
    private final Clock clock;
    private final long start;
    private long last;
    private RestartPhaseEvent phaseEvent = RestartPhaseEvent.begun();

    /** Starts when this rank learns of the interruption. */
    RestartTimer(Clock clock) {
        this.clock = clock;
        this.start = clock.nanoTime();
        this.last = start;
    }

    /** Ends a phase, which began when the previous one ended. */
    void end(Phase phase) {
        long now = clock.nanoTime();
        phaseEvent.ended(phase);
        phaseEvents.add(phaseEvent);
        phaseEvent = RestartPhaseEvent.begun();
        phases.merge(phase, Duration.ofNanos(now - last), Duration::plus); // a leader may have to decide again
        last = now;
    }

    /** Returns the report of the restart when {@code next} has started. */
    RestartReport report(List<Interruption> interruptions, StoppedBy stoppedBy, State next) {
        event.ended();
        return new RestartReport(
                next.iteration() - 1,
                interruptions,
                Collections.unmodifiableMap(phases),
                stoppedBy,
                start,
                Duration.ofNanos(last - start),
                next);
    }

    /** Commits the flight recorder's events; a separate method, as it may take long. */
    void record(RestartReport report) {
        for (RestartPhaseEvent each : phaseEvents) {
            each.tell(report);
        }
        event.tell(report);
    }
}
