package dev.resiliency.inprocess;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
            assertThat(restart.getString("report")).contains("EXCEPTION on rank 1 (IllegalStateException: NaN)");
        });
        List<RecordedEvent> phases = ofRank(0, "dev.resiliency.RestartPhase", events);
        assertThat(phases)
                .extracting(each -> each.getString("phase"))
                .containsExactly("LAST_CALL", "ABORT", "STOP", "FINALIZE", "HEALTH_CHECK", "BARRIER", "ASSIGN");
        assertThat(ofRank(1, "dev.resiliency.RestartPhase", events))
                .extracting(each -> each.getString("phase"))
                .containsExactly("LAST_CALL", "ABORT", "STOP", "FINALIZE", "HEALTH_CHECK", "BARRIER");
    }

    @Test
    void recordingShowsTheOrderOfEventsOnAllRanksOfAHost() throws Exception {
        Path file = directory.resolve("job.jfr");
        long before = System.nanoTime();
        try (Recording recording = new Recording()) {
            recording.start();
            failOnceOnRankOneOfTwo();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        List<RecordedEvent> inOrder = new ArrayList<>(ofRank(1, "dev.resiliency.Fault", events));
        assertThat(inOrder).singleElement().satisfies(fault -> {
            assertThat(fault.getInt("faultyRank")).isEqualTo(1);
            assertThat(fault.getString("kind")).isEqualTo("EXCEPTION");
        });
        inOrder.addAll(ofRank(0, "dev.resiliency.Restart", events));
        inOrder.addAll(ofRank(0, "dev.resiliency.RestartPhase", events));
        inOrder.addAll(ofRank(0, "dev.resiliency.Entry", events).stream()
                .filter(each -> each.getInt("iteration") == 1)
                .toList());
        assertThat(inOrder).hasSize(10).isSortedAccordingTo(comparingLong(each -> each.getLong("begunAt")));
        assertThat(inOrder.get(0).getLong("begunAt")).isGreaterThan(before);
        assertThat(inOrder).allSatisfy(event -> {
            assertThat(event.getString("host"))
                    .isEqualTo(Files.readString(Path.of("/proc/sys/kernel/hostname"))
                            .strip());
            assertThat(event.getLong("boot")).isNotZero();
        });
    }

    @Test
    void recordingShowsHowAProcessJoined() throws Exception {
        Path file = directory.resolve("job.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            growFromOneToTwo();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        assertThat(ofRank(1, "dev.resiliency.Join", events)).singleElement().satisfies(join -> {
            assertThat(join.getInt("iteration")).isEqualTo(1);
            assertThat(join.getInt("generation")).isZero();
            assertThat(join.getLong("admittedAt"))
                    .isBetween(
                            join.getLong("begunAt"),
                            join.getLong("begunAt") + join.getDuration().toNanos());
        });
        assertThat(ofRank(1, "dev.resiliency.Iteration", events))
                .extracting(each -> each.getInt("iteration") + " " + each.getString("entry"))
                .containsExactly("1 JOINED");
        assertThat(ofRank(0, "dev.resiliency.Iteration", events))
                .extracting(each -> each.getInt("iteration") + " " + each.getString("entry"))
                .containsExactly("0 FOUNDED", "1 SURVIVED");
        assertThat(ofRank(0, "dev.resiliency.Restart", events)).singleElement().satisfies(restart -> {
            assertThat(restart.getString("joined")).isEqualTo("{1}");
            assertThat(restart.getInt("generation")).isZero();
            assertThat(restart.getInt("causeRank")).as("no fault").isEqualTo(-1);
        });
    }

    private static void growFromOneToTwo() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        UnaryOperator<Wrapper.Builder> settings =
                builder -> builder.elasticity(Elasticity.defaults().maxRanks(2).joinWait(Duration.ZERO));
        RestartableFunction<String> function = call -> {
            running.countDown();
            if (call.iteration() == 0) {
                never.await();
            }
            return "done";
        };
        try (LocalJob job = new LocalJob(1)) {
            Future<@Nullable String> founder = job.start(0, settings, function);
            running.await();
            Future<@Nullable String> joiner = job.startAnother(0, settings, function);
            founder.get(20, TimeUnit.SECONDS);
            joiner.get(20, TimeUnit.SECONDS);
        }
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
