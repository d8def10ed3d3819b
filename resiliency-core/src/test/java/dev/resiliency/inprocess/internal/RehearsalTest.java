package dev.resiliency.inprocess.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RehearsalTest {
    private final Set<Thread> threadsBefore = ownThreads();

    @Test
    void itIsOverBeforeTheJobStartsIfThereIsTime() throws Exception {
        try (Rehearsal rehearsal = Rehearsal.begin(Duration.ofSeconds(100))) {
            assertThat(requireNonNull(rehearsal).isOver()).isTrue();
            awaitNoThreads();
        }
    }

    @Test
    void itGoesOnBesideTheJobAndEndsWithIt() throws Exception {
        try (Rehearsal rehearsal = Rehearsal.begin(Duration.ZERO)) {
            assertThat(requireNonNull(rehearsal).isOver()).isFalse();
            assertThat(ownThreads()).extracting(Thread::getName).contains("resiliency-rehearsal");
        }
        awaitNoThreads();
    }

    @Test
    void theFlightRecorderHearsNothingOfIt(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("rehearsal.jfr");
        try (Recording recording =
                new Recording()) { // of all events of the application, as they are enabled by default
            recording.start();
            requireNonNull(Rehearsal.begin(Duration.ofSeconds(100))).close();
            recording.dump(file);
        }

        assertThat(RecordingFile.readAllEvents(file))
                .extracting(each -> each.getEventType().getName())
                .noneMatch(name -> name.startsWith("dev.resiliency"));
    }

    private void awaitNoThreads() {
        await().untilAsserted(() -> assertThat(ownThreads()).isSubsetOf(threadsBefore));
    }

    private static Set<Thread> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("resiliency-"))
                .collect(Collectors.toSet());
    }
}
