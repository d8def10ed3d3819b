package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.RestartReport.StoppedBy;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.jfr.FlightRecording;
import dev.resiliency.inprocess.internal.jfr.RestartRecording;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures the phases of one restart. Confined to the monitor thread. */
final class RestartTimer {
    private final @Nullable RestartRecording recording = FlightRecording.isOn() ? new RestartRecording() : null;
    private final Map<Phase, Duration> phases = new EnumMap<>(Phase.class);
    private final Clock clock;
    private final long start;
    private long last;

    /** Starts when this rank learns of the interruption. */
    RestartTimer(Clock clock) {
        this.clock = clock;
        this.start = clock.nanoTime();
        this.last = start;
    }

    /** Ends a phase, which began when the previous one ended. */
    void end(Phase phase) {
        long now = clock.nanoTime();
        if (recording != null) {
            recording.ended(phase);
        }
        phases.merge(phase, Duration.ofNanos(now - last), Duration::plus); // a leader may have to decide again
        last = now;
    }

    /** Returns the report of the restart when {@code next} has started; {@code joined} are those who joined with it. */
    RestartReport report(List<Interruption> interruptions, StoppedBy stoppedBy, State next, IndexSet joined) {
        if (recording != null) {
            recording.ended();
        }
        return new RestartReport(
                next.iteration() - 1,
                interruptions,
                Collections.unmodifiableMap(phases),
                stoppedBy,
                start,
                Duration.ofNanos(last - start),
                next,
                joined);
    }

    /** Commits the flight recorder's events; a separate method, as it may take long. */
    void record(RestartReport report) {
        if (recording != null) {
            recording.record(report);
        }
    }
}
