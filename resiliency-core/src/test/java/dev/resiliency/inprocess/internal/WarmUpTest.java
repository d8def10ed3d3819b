package dev.resiliency.inprocess.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(120)
class WarmUpTest {
    private final Set<Thread> threadsBefore = ownThreads();

    @Test
    void warmUpEndsBeforeTheJobStartsIfThereIsTime() throws Exception {
        try (WarmUp warmUp = WarmUp.begin(true, Duration.ofSeconds(100))) {
            assertThat(requireNonNull(warmUp).isOver()).isTrue();
            awaitNoThreads();
        }
    }

    @Test
    void warmUpContinuesBesideTheJobAndEndsWithIt() throws Exception {
        try (WarmUp warmUp = WarmUp.begin(true, Duration.ZERO)) {
            assertThat(requireNonNull(warmUp).isOver()).isFalse();
            assertThat(ownThreads()).extracting(Thread::getName).contains("resiliency-warm-up");
        }
        awaitNoThreads();
    }

    @Test
    void flightRecorderDoesNotRecordTheWarmUp(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("warm-up.jfr");
        try (Recording recording =
                new Recording()) { // records all events of the application, which are enabled by default
            recording.start();
            requireNonNull(WarmUp.begin(true, Duration.ofSeconds(100))).close();
            recording.dump(file);
        }

        assertThat(RecordingFile.readAllEvents(file))
                .extracting(each -> each.getEventType().getName())
                .noneMatch(name -> name.startsWith("dev.resiliency"));
    }

    @Test
    void logMentionsTheWarmUpOnceAndNoneOfItsIterations() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.resiliency.inprocess");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        logger.addAppender(log);
        try {
            requireNonNull(WarmUp.begin(true, Duration.ofSeconds(100))).close();
        } finally {
            logger.detachAppender(log);
            logger.setAdditive(true);
            logger.setLevel(null);
        }

        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .matches("warmed up with 250 restarts in \\d+ ms");
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
