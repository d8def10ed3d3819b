package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.worker.CapturedLog;
import dev.resiliency.store.IndexSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The lines in which operators read what happens on a rank, whole. */
class AnnouncementsTest {
    private static final State ACTIVE = new State(3, 4, 2, 4, State.Mode.ACTIVE, 1, 3, 1);
    private static final State RESERVE = new State(3, 4, 3, 4, State.Mode.INACTIVE, -1, 3, 1);

    private final CapturedLog log = new CapturedLog(AnnouncementsTest.class);
    private final Announcements announcements = Announcements.of(
            LoggerFactory.getLogger(AnnouncementsTest.class),
            new LogPrefix(3, 4),
            new RestartListener() {},
            Announcements.Agent.NONE);

    @AfterEach
    void release() {
        log.close();
    }

    private void restart(State next) {
        announcements.restarted(report(next), new RestartTimer(new FakeClock()));
    }

    private static RestartReport report(State next) {
        return new RestartReport(
                0,
                List.of(new Interruption(2, Kind.EXCEPTION, null, "loss is NaN")),
                Map.of(RestartReport.Phase.LAST_CALL, Duration.ofMillis(10)),
                RestartReport.StoppedBy.ITSELF,
                Duration.ofSeconds(7).toNanos(),
                Duration.ofMillis(14),
                next,
                IndexSet.empty());
    }

    @Test
    void restartIsLoggedOnceItHasSettledWithTheNewRole() {
        restart(ACTIVE);
        announcements.roleChanged("");
        announcements.roleChanged("its role has changed, as rank 0 has left");
        assertThat(log.messages()).isEmpty();

        announcements.settled();
        announcements.settled();

        assertThat(log.messages())
                .containsExactly(
                        "[rank 3/4 it 1] restarted in 14.0 ms after EXCEPTION on rank 2 (loss is NaN)",
                        "[rank 3/4 it 1] last call 10.0 ms; stopped by itself; now active rank 1 of 3 in a world of 4",
                        "[rank 3/4 it 1] its role has changed, as rank 0 has left");
    }

    @Test
    void restartThatHasNotSettledIsLoggedBeforeTheNextOne() {
        restart(RESERVE);
        restart(ACTIVE);

        assertThat(log.messages()).anySatisfy(line -> assertThat(line).contains("now reserve behind 3 active ranks"));
    }

    @Test
    void firstStepAfterARestartSaysHowLongTheRecoveryTook() {
        restart(ACTIVE);
        announcements.recovered(
                Duration.ofSeconds(7).plus(Duration.ofNanos(31_460_000)).toNanos());
        announcements.recovered(Duration.ofSeconds(9).toNanos());

        assertThat(log.messages())
                .containsExactly("[rank 3/4 it 1] recovered in 31.5 ms, from the interruption to the first step");
    }

    @Test
    void foundersThatTakeNoPartAreNamedAndTheirReasonsAsFarAsSomebodyReads() {
        announcements.startsWithout(List.of(), true);
        assertThat(log.messages()).isEmpty();

        announcements.startsWithout(absent(Announcements.SHOWN), true);
        announcements.startsWithout(absent(Announcements.SHOWN + 2), false);

        String reasons = "TERMINATED on rank 0 (late); TERMINATED on rank 1 (late); TERMINATED on rank 2 (late);"
                + " TERMINATED on rank 3 (late); TERMINATED on rank 4 (late)";
        assertThat(log.messages())
                .containsExactly(
                        "[rank 3/4] the job starts without ranks {0-4}, which may join later: " + reasons,
                        "[rank 3/4] the job starts without ranks {0-6}: " + reasons + "; and 2 more");
    }

    /** Notes the names of what it learns. */
    private static final class Observed implements RestartListener, Announcements.Agent {
        private final List<String> events = new ArrayList<>();

        @Override
        public void iterationStarted(State state) {
            events.add("iterationStarted " + state.iteration());
        }

        @Override
        public void worldChanged(WorldEvent event) {
            events.add("worldChanged " + event.getClass().getSimpleName());
        }

        @Override
        public void completed(State state) {
            events.add("completed " + state.iteration());
        }

        @Override
        public void leaving(State state, Throwable reason) {
            events.add("leaving " + reason.getMessage());
        }

        @Override
        public void restarted(RestartReport report) {
            events.add("restarted " + report.state().iteration());
        }

        @Override
        public void began(int iteration, long first, long before) {}
    }

    @Test
    void listenerLearnsOfEachEventAndTheAgentOfRestarts() {
        Observed listener = new Observed();
        Observed agent = new Observed();
        Announcements observed = Announcements.of(
                LoggerFactory.getLogger(AnnouncementsTest.class), new LogPrefix(3, 4), listener, agent);

        observed.restarted(report(ACTIVE), new RestartTimer(new FakeClock()));
        observed.isToLeave(ACTIVE, "drain", false);
        observed.completed(ACTIVE);
        observed.leaving(ACTIVE, new IllegalStateException("NaN"));

        assertThat(listener.events)
                .containsExactly(
                        "restarted 1", "worldChanged Draining", "worldChanged Completed", "completed 1", "leaving NaN");
        assertThat(agent.events).containsExactly("restarted 1");
    }

    @Test
    void restartIsNotSaidOfARankThatLeavesInsteadAndItsReasonIs() {
        restart(ACTIVE);

        announcements.leaving(ACTIVE, new IllegalStateException("NaN"));

        assertThat(log.messages())
                .containsExactly("[rank 3/4 it 1] leaves the job: java.lang.IllegalStateException: NaN");
    }

    @Test
    void flightRecorderLearnsOfFaultsOfAJobAndNotOfAWarmUp(@TempDir Path directory) throws IOException {
        List<Interruption> faults = List.of(new Interruption(2, Kind.EXCEPTION, null, "loss is NaN"));
        Announcements ofWarmUp = Announcements.ofWarmUp(new LogPrefix(3, 4), new RestartListener() {});
        Path file = directory.resolve("job.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            announcements.recorded(ACTIVE, faults);
            announcements.leaving(ACTIVE, new IllegalStateException("enough"));
            announcements.leaving(ACTIVE, new RankDiscardedException(3, 1, "not needed"));
            ofWarmUp.recorded(ACTIVE, faults);
            ofWarmUp.leaving(ACTIVE, new IllegalStateException("enough"));
            recording.dump(file);
        }

        assertThat(RecordingFile.readAllEvents(file))
                .filteredOn(event -> event.getEventType().getName().equals("dev.resiliency.Fault"))
                .extracting(event -> event.getInt("faultyRank"))
                .containsExactly(2, 3);
        assertThat(announcements.eventOf(ACTIVE)).isNotNull();
        assertThat(announcements.entryOf(ACTIVE)).isNotNull();
        assertThat(announcements.joinOf()).isNotNull();
        assertThat(ofWarmUp.eventOf(ACTIVE)).isNull();
        assertThat(ofWarmUp.entryOf(ACTIVE)).isNull();
        assertThat(ofWarmUp.joinOf()).isNull();
    }

    @Test
    void whatAListenerThrowsIsLoggedAndHasNoEffect() {
        Announcements observed = Announcements.of(
                LoggerFactory.getLogger(AnnouncementsTest.class),
                new LogPrefix(3, 4),
                new RestartListener() {
                    @Override
                    public void completed(State state) {
                        throw new IllegalStateException("a defect of the listener");
                    }
                },
                Announcements.Agent.NONE);

        observed.completed(ACTIVE);

        assertThat(log.messages())
                .containsExactly(
                        "[rank 3/4] completed: all active ranks have returned",
                        "[rank 3/4] the restart listener failed; the restart loop continues");
    }

    @Test
    void stepsThatGoBackAreSaid() {
        announcements.began(1, 7, 8);
        announcements.began(2, 7, 7);
        assertThat(log.messages()).isEmpty();

        announcements.began(3, 7, 6);
        announcements.began(4, 7, 0);

        assertThat(log.messages())
                .containsExactly(
                        "[rank 3/4] the step went back from 7 to 6",
                        "[rank 3/4] the step went back from 7 to 0: the function begins all over again");
    }

    @Test
    void threadsThatAreLeftBehindAreNamedOnceAndNotAll() {
        announcements.leavesThreads(List.of("loader", "loader"));
        announcements.leavesThreads(List.of("a", "b", "c", "d", "e"));
        announcements.leavesThreads(List.of("a", "b", "c", "d", "e", "f"));

        assertThat(log.messages())
                .extracting(line ->
                        line.replaceFirst(".* behind with each restart, ", "").replaceFirst("\\. It should.*", ""))
                .containsExactly("2 by now: loader", "5 by now: a, b, c, d, e", "6 by now: a, b, c, d, e, …");
    }

    private static List<Interruption> absent(int ranks) {
        return IntStream.range(0, ranks)
                .mapToObj(rank -> new Interruption(rank, Kind.TERMINATED, null, "late"))
                .toList();
    }

    @Test
    void completionIsLoggedAfterWhatIsStillUnsaid() {
        restart(ACTIVE);

        announcements.completed(ACTIVE);

        assertThat(log.messages())
                .last()
                .asString()
                .isEqualTo("[rank 3/4 it 1] completed: all active ranks have returned");
        assertThat(log.messages()).hasSize(3);
    }
}
