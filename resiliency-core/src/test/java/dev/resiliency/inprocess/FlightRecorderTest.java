package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FlightRecorderTest {

    @TempDir
    private Path directory;

    @Test
    void recordingShowsIterationsRestartsAndTheirPhases() throws Exception {
        Path file = directory.resolve("job.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            failOnceOnRankOneOfTwo();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        assertThat(ofRank(0, "dev.resiliency.Iteration", events))
                .extracting(each -> each.getInt("iteration") + " " + each.getString("ending"))
                .containsExactly("0 INTERRUPTED", "1 COMPLETED");
        assertThat(ofRank(0, "dev.resiliency.Restart", events)).singleElement().satisfies(restart -> {
            assertThat(restart.getInt("causeRank")).isEqualTo(1);
            assertThat(restart.getInt("iteration")).isZero();
            assertThat(restart.getString("report"))
                    .contains("EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN)");
        });
        List<RecordedEvent> phases = ofRank(0, "dev.resiliency.RestartPhase", events);
        assertThat(phases)
                .extracting(each -> each.getString("phase"))
                .containsExactly("LAST_CALL", "ABORT", "STOP", "FINALIZE", "BARRIER");
        assertThat(phases.get(0).getStartTime()).isBeforeOrEqualTo(phases.get(4).getStartTime());
    }

    private static void failOnceOnRankOneOfTwo() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(2)) {
            List<Future<@Nullable String>> results = job.startAll(UnaryOperator.identity(), call -> {
                if (call.iteration() == 0) {
                    if (call.state().initialRank() == 1) {
                        throw new IllegalStateException("NaN");
                    }
                    never.await();
                }
                return "done";
            });
            for (Future<@Nullable String> result : results) {
                result.get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static List<RecordedEvent> ofRank(int rank, String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(each -> each.getEventType().getName().equals(name) && each.getInt("initialRank") == rank)
                .toList();
    }
}
