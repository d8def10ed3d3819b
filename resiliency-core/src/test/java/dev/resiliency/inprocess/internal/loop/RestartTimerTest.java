package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.RestartReport.StoppedBy;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.store.IndexSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTimerTest {
    private static final State NEXT = new State(3, 4, 2, 4, State.Mode.ACTIVE, 1, 3, 1);

    private final FakeClock clock = new FakeClock();

    /** Decides a second time, as a rank has died in between. */
    private RestartReport restart(RestartTimer timer) {
        pass(timer, 10, Phase.LAST_CALL);
        pass(timer, 3, Phase.BARRIER);
        pass(timer, 2, Phase.ASSIGN);
        pass(timer, 4, Phase.BARRIER);
        clock.advance(Duration.ofMillis(100));
        return timer.report(List.of(), StoppedBy.ITSELF, NEXT, IndexSet.of(2));
    }

    private void pass(RestartTimer timer, int millis, Phase phase) {
        clock.advance(Duration.ofMillis(millis));
        timer.end(phase);
    }

    @Test
    void reportHasTheTimeOfEachPhaseAndTheirSum() {
        clock.advance(Duration.ofSeconds(7));

        RestartReport report = restart(new RestartTimer(clock));

        assertThat(report.phases())
                .isEqualTo(Map.of(
                        Phase.LAST_CALL,
                        Duration.ofMillis(10),
                        Phase.BARRIER,
                        Duration.ofMillis(7),
                        Phase.ASSIGN,
                        Duration.ofMillis(2)));
        assertThat(report.total()).isEqualTo(Duration.ofMillis(19));
        assertThat(report.interrupted()).isZero();
        assertThat(report.knownAt())
                .isEqualTo(clock.nanoTime() - Duration.ofMillis(119).toNanos());
    }

    @Test
    void flightRecorderHasEachPhaseAndTheWhole(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("job.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            RestartTimer timer = new RestartTimer(clock);
            timer.record(restart(timer));
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("dev.resiliency.RestartPhase"))
                .extracting(event -> event.getString("phase"))
                .containsExactly("LAST_CALL", "BARRIER", "ASSIGN", "BARRIER");
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("dev.resiliency.Restart"))
                .hasSize(1);
    }

    @Test
    void restartBeforeARecordingIsNotRecorded() {
        RestartTimer timer = new RestartTimer(clock);

        timer.record(restart(timer));
    }
}
