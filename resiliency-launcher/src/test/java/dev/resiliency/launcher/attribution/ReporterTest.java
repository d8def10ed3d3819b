package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.ended;
import static dev.resiliency.launcher.attribution.Facts.ofNode;
import static dev.resiliency.launcher.attribution.Facts.resumed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.launcher.rendezvous.SimulatedJob;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reports of two agents of a job of two nodes with two ranks each, whose tasks the test runs. */
class ReporterTest {
    @TempDir
    private Path directory;

    private final InMemoryStore store = InMemoryStore.create();
    private final InMemoryStore session = store.newSession();
    private final SessionStore agents = NodeSession.storeOf(session, "job");
    private final ReportStore facts = new ReportStore(agents);

    @BeforeEach
    void seatNodes() throws Exception {
        new SimulatedJob(store.newSession(), "job", 2, 2);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private long now;

    /** The attribution of an agent. */
    private final class Agent implements LaunchedJob {
        final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        final List<String> announced = new ArrayList<>();
        final List<String> stopped = new ArrayList<>();
        final List<String> said = new ArrayList<>();
        final List<Listener> listeners = new ArrayList<>();
        final Reporter reporter;

        Agent() {
            this(null, null);
        }

        Agent(@Nullable ServiceSettings settings, @Nullable AttributionService service) {
            LauncherLog log = LauncherLog.ofAgent("gpu-0000");
            log.copyTo(said::add);
            reporter = new Reporter(
                    new AttributionSettings(
                            "my/job",
                            "gpu-0000",
                            2,
                            0,
                            List.of("java"),
                            directory.resolve("reports"),
                            Path.of("/none"),
                            settings),
                    agents,
                    this,
                    new Incidents(() -> now),
                    service,
                    log,
                    announced::add,
                    stopped::add,
                    tasks);
        }

        void runAll() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }

        void lead() {
            reporter.seated(0, 4);
            reporter.lead(true);
            runAll();
        }

        /** Reports what there is, as at the end of the agent. */
        List<String> report() {
            runAll();
            announced.clear();
            reporter.reportLast();
            return announced.stream()
                    .map(line -> line.replaceFirst(": (restart|stop|exclude host) \\(.*", " $1"))
                    .toList();
        }

        void interrupted(int iteration, Interruption... interruptions) {
            listeners.forEach(each -> each.interrupted(iteration, List.of(interruptions)));
            runAll();
        }

        @Override
        public void watch(Listener listener) {
            listeners.add(listener);
        }

        @Override
        public CompletableFuture<Boolean> hasBegun() {
            throw new AssertionError("a reporter needs no job that has begun");
        }

        @Override
        public CompletableFuture<Void> founded(Duration limit) {
            throw new AssertionError("a reporter founds nothing");
        }

        @Override
        public CompletableFuture<OptionalInt> promise() {
            throw new AssertionError("a reporter makes no promises");
        }
    }

    private void write(Fact fact) {
        long number = facts.nextFact().join();
        facts.write(fact.numbered(number)).join();
    }

    private static Interruption fault(int rank, Interruption.Kind kind, String message) {
        return new Interruption(rank, kind, null, message);
    }

    @Test
    void agentThatLeadsReportsWhatAllHaveNoticed() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        write(ofNode(0, Kind.ENDS, "n0", "rank 0"));

        assertThat(agent.report())
                .containsExactly("report 1: EXITED(17) on node n0, first rank 1; 1 more followed restart");
        assertThat(agent.report()).isEmpty();
        assertThat(facts.reports())
                .singleElement()
                .satisfies(report -> assertThat(report)
                        .returns(1L, CycleReport::number)
                        .returns(2L, CycleReport::lastFact)
                        .returns(List.of("rank 0"), CycleReport::followers));
        try (Stream<Path> files = Files.list(directory.resolve("reports"))) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("report-my%2Fjob-1.json", "report-my%2Fjob-1.txt");
        }
        assertThat(Json.read(Files.readString(directory.resolve("reports/report-my%2Fjob-1.json")), CycleReport.class))
                .isEqualTo(facts.reports().get(0));
    }

    @Test
    void agentThatDoesNotLeadReportsNothing() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        agent.reporter.lead(false);
        write(ended(0, 1, 17, Evidence.NONE));

        assertThat(agent.report()).isEmpty();
        assertThat(agent.reporter.untilDue()).isEqualTo(Duration.ofHours(1));
        assertThat(facts.reports()).isEmpty();
    }

    @Test
    void nextLeaderGoesOnWhereTheOneBeforeHasEnded() {
        Agent first = new Agent();
        first.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        first.report();
        write(ended(0, 1, 17, Evidence.NONE));
        first.report();

        Agent second = new Agent();
        second.lead();
        assertThat(second.report()).isEmpty();
        write(ended(0, 1, 17, Evidence.NONE));

        assertThat(second.report())
                .as("it knows of the others")
                .containsExactly("report 3: EXITED(17) on node n0, first rank 1 stop");
    }

    @Test
    void agentThatLeadsAgainReportsOnlyWhatTheOtherHasNot() {
        Agent first = new Agent();
        Agent second = new Agent(); // takes itself for the lowest before the first one has come
        second.lead();
        second.reporter.lead(false);
        first.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        second.runAll();
        assertThat(first.report()).hasSize(1);

        write(ofNode(0, Kind.NODE_LOST, "n0"));
        second.lead();

        assertThat(second.report()).containsExactly("report 2: HOST_LOST(n0) on node n0, first node n0 restart");
    }

    @Test
    void twoThatTakeThemselvesForTheLowestWriteOneReport() throws Exception {
        Agent first = new Agent();
        Agent second = new Agent();
        first.lead();
        second.lead();
        write(ended(0, 1, 17, Evidence.NONE));

        assertThat(first.report()).hasSize(1);
        assertThat(second.report()).isEmpty();
        assertThat(facts.reports()).hasSize(1);
    }

    @Test
    void faultThatAWrapperHasRecordedIsReportedOnceWithTheNodeOfTheRank() {
        Agent first = new Agent();
        Agent second = new Agent();
        first.lead();
        second.lead();
        Interruption nan = fault(3, Interruption.Kind.EXCEPTION, "java.lang.IllegalStateException: NaN");
        Interruption grown = fault(4, Interruption.Kind.SCALE_UP, "rank 4 waits");
        first.interrupted(5, grown, nan);
        first.interrupted(5, grown, nan);
        second.interrupted(5, grown, nan);

        assertThat(facts.latestFact().join()).isOne();
        assertThat(first.report())
                .containsExactly("report 1: USER_EXCEPTION(java.lang.IllegalStateException, rank 3) on node gpu-0001,"
                        + " first rank 3 restart");
    }

    @Test
    void ranksThatHangAreJudgedByWhereTheyStand() {
        Agent agent = new Agent();
        agent.lead();
        Standing waits = new Standing(Activity.SOCKET, true, List.of("Ring.read(Ring.java:80)"));
        Standing sleeps = new Standing(Activity.SLEEP, true, List.of("LogReg.fault(LogReg.java:71)"));
        agent.interrupted(
                5,
                new Interruption(0, Interruption.Kind.SOFT_TIMEOUT, null, "", waits),
                new Interruption(1, Interruption.Kind.SOFT_TIMEOUT, null, "", sleeps));

        assertThat(agent.report())
                .containsExactly(
                        "report 1: HANG_IN(LogReg.fault) on node gpu-0000, first rank 1; 1 more followed restart");
    }

    @Test
    void sameFaultInAnotherIterationIsAnotherFact() {
        Agent agent = new Agent();
        agent.lead();
        Interruption nan = fault(3, Interruption.Kind.EXCEPTION, "NaN");
        agent.interrupted(5, nan);
        agent.interrupted(6, nan);

        assertThat(facts.latestFact().join()).isEqualTo(2);
    }

    @Test
    void agentThatDoesNotLeadRecordsNoFault() {
        Agent agent = new Agent();
        agent.lead();
        agent.reporter.lead(false);
        agent.interrupted(5, fault(3, Interruption.Kind.EXCEPTION, "NaN"));

        assertThat(facts.latestFact().join()).isZero();
    }

    @Test
    void processThatHasJoinedIsNamedAsItsAgentHasNotedIt() {
        facts.noteMember(9, "rank 2", "gpu-0001");
        Agent agent = new Agent();
        agent.lead();
        agent.interrupted(5, fault(9, Interruption.Kind.EXCEPTION, "java.io.IOException: no route"));
        assertThat(agent.report())
                .containsExactly("report 1: USER_EXCEPTION(java.io.IOException, rank 2) on node gpu-0001, first rank 2"
                        + " restart");

        agent.interrupted(6, fault(8, Interruption.Kind.EXCEPTION, "java.io.IOException: no route"));
        assertThat(agent.report())
                .containsExactly(
                        "report 2: USER_EXCEPTION(java.io.IOException, rank 8, which joined later), first rank 8, which joined later"
                                + " restart");
    }

    @Test
    void rankOfANodeWithoutASeatIsOnNoKnownNode() {
        Agent agent = new Agent();
        agent.lead();
        agent.reporter.seated(1, 6);
        agent.interrupted(5, fault(5, Interruption.Kind.EXCEPTION, "java.io.IOException: no route"));

        assertThat(agent.report())
                .containsExactly("report 1: USER_EXCEPTION(java.io.IOException, rank 5), first rank 5 restart");
    }

    @Test
    void lastReportWaitsForFactsThatAreOnTheirWay() {
        Agent agent = new Agent();
        agent.lead();
        assertThat(agent.reporter.awaitsFacts()).isFalse();
        long number = facts.nextFact().join();
        assertThat(agent.reporter.awaitsFacts()).isTrue();

        facts.write(ended(number, 1, 17, Evidence.NONE)).join();
        agent.runAll();

        assertThat(agent.reporter.awaitsFacts()).isFalse();
        agent.reporter.lead(false);
        facts.nextFact().join();
        assertThat(agent.reporter.awaitsFacts()).as("another agent reports").isFalse();
    }

    @Test
    void lastReportDoesNotWaitForAStoreThatIsLost() {
        Agent agent = new Agent();
        agent.lead();
        facts.nextFact().join();
        session.abandon();

        assertThat(agent.reporter.awaitsFacts()).isFalse();
    }

    @Test
    void agentLeadsAlthoughAStrangerHasWrittenReports() throws Exception {
        agents.set("reports/000000000001", "nonsense");
        agents.set("members/9", "nonsense");
        Agent agent = new Agent();
        agent.lead();
        agent.interrupted(5, fault(9, Interruption.Kind.EXCEPTION, "java.io.IOException: no route"));

        assertThat(agent.report())
                .containsExactly(
                        "report 1: USER_EXCEPTION(java.io.IOException, rank 9, which joined later), first rank 9, which joined later"
                                + " restart");
    }

    @Test
    void reportIsKeptAndSaidAlthoughItsDirectoryCannotBeWritten() throws Exception {
        Files.writeString(directory.resolve("reports"), "a file");
        Agent agent = new Agent();
        agent.lead();
        write(ended(0, 1, 17, Evidence.NONE));

        assertThat(agent.report()).hasSize(1);
        assertThat(facts.reports()).hasSize(1);
        assertThat(agent.said.get(0)).contains("report 1: EXITED(17) on node n0");
        assertThat(agent.said.get(1)).contains("the report could not be written into " + directory.resolve("reports"));
    }

    @Test
    void incidentIsReportedWhenItIsOver() {
        Agent agent = new Agent();
        agent.lead();
        assertThat(agent.reporter.untilDue()).isEqualTo(Duration.ofHours(1));
        write(ended(0, 1, 17, Evidence.NONE));
        write(ofNode(0, Kind.RECOVERED, "n0"));
        agent.runAll();

        agent.reporter.reportIfDue();
        assertThat(agent.announced).isEmpty();
        assertThat(agent.reporter.untilDue()).isEqualTo(Incidents.SETTLE);
        now += Incidents.SETTLE.toNanos();
        agent.reporter.reportIfDue();

        assertThat(agent.announced).singleElement().asString().startsWith("report 1: EXITED(17) on node n0");
        assertThat(agent.reporter.untilDue()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void agentThatHasLostItsStoreOrItsLeadReportsNoIncidentThatIsOver() throws Exception {
        Agent lost = new Agent();
        Agent former = new Agent();
        lost.lead();
        former.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        lost.runAll();
        former.runAll();
        lost.reporter.reportAlone(ofNode(0, Kind.STORE_LOST, "gpu-0000"));
        former.reporter.lead(false);
        now += Incidents.LIMIT.toNanos();

        lost.reporter.reportIfDue();
        former.reporter.reportIfDue();

        assertThat(facts.reports()).isEmpty();
    }

    @Test
    void incidentThatAWrapperHasRecordedLastsUntilTheNextIteration() {
        Agent agent = new Agent();
        agent.lead();
        agent.interrupted(5, fault(3, Interruption.Kind.EXCEPTION, "NaN"));
        agent.runAll();
        now += Incidents.SETTLE.toNanos();
        agent.reporter.reportIfDue();
        assertThat(agent.announced).isEmpty();

        agent.listeners.forEach(each -> each.began(6));
        agent.runAll();
        now += Incidents.SETTLE.toNanos();
        agent.reporter.reportIfDue();

        assertThat(agent.announced).hasSize(1);
    }

    @Test
    void verdictsOfTheReportsBeforeAreCountedOnceHoweverOftenAnAgentLeads() {
        Agent agent = new Agent();
        agent.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        agent.report();
        agent.reporter.lead(false);
        agent.lead();
        write(ended(0, 1, 17, Evidence.NONE));

        assertThat(agent.report()).containsExactly("report 2: EXITED(17) on node n0, first rank 1 restart");
    }

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    /** Answers what an attribution service would, at once. */
    private AttributionService answering(HttpServer server, ServiceSettings settings, String action) {
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            byte[] answer = "{\"recommendation\":{\"action\":\"%s\",\"reason\":\"the loss is NaN\",\"source\":\"log\"}}"
                    .formatted(action)
                    .getBytes(UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return new AttributionService(settings, Map.of(), Duration.ofMillis(1), Duration.ofSeconds(60));
    }

    private static ServiceSettings settings(HttpServer server, boolean endsJob, boolean isOwn) {
        return new ServiceSettings(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                cycle -> "/logs/cycle" + cycle,
                endsJob,
                Duration.ofSeconds(60),
                isOwn);
    }

    /** It runs on one host, and the agent that writes the reports may be on another one. */
    @Test
    void agentThatRunsTheServiceAsksItAboutTheReportsOfOthers() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ServiceSettings settings = settings(server, true, true);
        Agent writing = new Agent();
        Agent asking = new Agent(settings, answering(server, settings, "STOP"));
        try {
            asking.reporter.submitReportsOfAll();
            writing.lead();
            write(ended(0, 1, 17, Evidence.NONE));
            assertThat(writing.report()).hasSize(1);
            await().until(() -> {
                asking.runAll();
                return !asking.announced.isEmpty();
            });
        } finally {
            server.stop(0);
        }

        assertThat(asking.stopped).containsExactly("the attribution service recommends to stop: the loss is NaN");
        assertThat(asked).filteredOn("/healthz"::equals).isEmpty();
        assertThat(facts.reports())
                .singleElement()
                .returns(new Recommendation("STOP", "the loss is NaN", "log"), CycleReport::external);
    }

    @ParameterizedTest
    @CsvSource({
        "STOP, true, the attribution service recommends to stop: the loss is NaN",
        "STOP, false,",
        "RESTART, true,"
    })
    void answerOfTheServiceIsPartOfTheReportAndEndsTheJobIfThatIsWanted(String action, boolean endsJob, String stop)
            throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ServiceSettings settings = settings(server, endsJob, false);
        Agent agent = new Agent(settings, answering(server, settings, action));
        try {
            agent.lead();
            write(ended(0, 1, 17, Evidence.NONE));
            assertThat(agent.report()).hasSize(1);
            await().until(() -> !agent.tasks.isEmpty());
            agent.runAll();
            await().until(() -> asked.contains("/healthz"));
        } finally {
            server.stop(0);
        }

        String line = "report 1: the attribution service says " + action + ": the loss is NaN";
        assertThat(agent.announced).last().isEqualTo(line);
        assertThat(agent.said).last().asString().endsWith(line);
        assertThat(agent.stopped).isEqualTo(stop == null ? List.of() : List.of(stop));
        assertThat(facts.reports())
                .singleElement()
                .returns(new Recommendation(action, "the loss is NaN", "log"), CycleReport::external);
    }

    @Test
    void agentThatWasRefusedKeepsItsReportToItself() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        write(ofNode(0, Kind.RECOVERED, "n0"));
        agent.runAll();
        agent.reporter.reportAlone(ofNode(0, Kind.REFUSED, "gpu-0000"));
        write(ended(0, 1, 17, Evidence.NONE));

        assertThat(agent.report()).isEmpty();
        assertThat(agent.reporter.awaitsFacts()).isFalse();
        assertThat(facts.reports()).isEmpty();
        assertThat(Files.readString(directory.resolve("reports/report-my%2Fjob-1.txt")))
                .startsWith("report 1: CONFIGURATION");
        assertThat(Json.read(Files.readString(directory.resolve("reports/report-my%2Fjob-1.json")), CycleReport.class))
                .returns(2L, CycleReport::lastFact);
    }

    @Test
    void agentThatWasCutOffTellsTheOthersThatItLives() {
        Agent other = new Agent();
        other.lead();
        write(ofNode(0, Kind.NODE_LOST, "gpu-0000"));
        SessionStore raw = store.newSession();
        Reporter cutOff = new Reporter(
                new AttributionSettings("job", "gpu-0000", 2, 0, List.of("java"), null, Path.of("/none"), null),
                agents,
                other,
                new Incidents(() -> now),
                null,
                LauncherLog.ofAgent("gpu-0000"),
                line -> {},
                reason -> {},
                new ConcurrentLinkedQueue<>());

        cutOff.reportCutOff(ofNode(0, Kind.CUT_OFF, "gpu-0000"), () -> raw);

        assertThat(other.report())
                .containsExactly("report 1: NETWORK_PARTITION(gpu-0000) on node gpu-0000, first node gpu-0000 restart");
    }

    @Test
    void agentThatStaysCutOffSaysSo() {
        Agent agent = new Agent();
        InMemoryStore lost = store.newSession();
        lost.abandon();

        agent.reporter.reportCutOff(ofNode(0, Kind.CUT_OFF, "gpu-0000"), () -> lost);

        assertThat(agent.said).hasSize(2);
        assertThat(agent.said.get(0)).endsWith("node gpu-0000 is CUT_OFF");
        assertThat(agent.said.get(1)).contains("the others cannot be notified: ");
    }

    @Test
    void jobWhoseRankCannotRunEndsAtOnce() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        agent.interrupted(-1, fault(1, Interruption.Kind.CANNOT_RUN, "no file can be created in /tmp"));

        assertThat(agent.stopped)
                .containsExactly("rank 1 cannot run, whenever it starts: no file can be created in /tmp");
        assertThat(agent.report()).containsExactly("report 1: CONFIGURATION on node gpu-0000, first rank 1 stop");
        agent.interrupted(-1, fault(0, Interruption.Kind.MONITOR_PROCESS_LOST, "it has died"));
        assertThat(agent.stopped).hasSize(1);
    }

    private String page(int number) throws Exception {
        return Files.readString(directory.resolve("reports/report-my%2Fjob-" + number + ".txt"));
    }

    @Test
    void reportSaysWhereTheTrainingGoesOn() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        write(resumed(0, 5, 1200, 1186));

        assertThat(agent.report()).hasSize(1);
        assertThat(facts.reports().get(0))
                .returns(14L, CycleReport::repeated)
                .returns("14 steps repeated (from 1200 to 1186)", CycleReport::steps);
        assertThat(agent.announced).singleElement().asString().endsWith("; 14 steps repeated (from 1200 to 1186)");
    }

    @Test
    void reportIsCompletedWhenTheTrainingGoesOnLater() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        agent.reporter.stepsAreTold();
        write(ended(0, 1, 17, Evidence.NONE));
        agent.report();
        assertThat(facts.reports().get(0))
                .returns(null, CycleReport::repeated)
                .returns(Repetition.UNKNOWN.text(true), CycleReport::steps);
        agent.announced.clear();

        write(resumed(0, 5, 1199, 1186));
        write(resumed(0, 5, 1200, 1186));
        write(resumed(0, 5, 1200, 1186));
        write(resumed(0, 6, 1188, 1186));
        write(resumed(0, 7, 1250, 1250));
        agent.runAll();

        assertThat(agent.announced)
                .containsExactly(
                        "report 1: 13 steps repeated (from 1199 to 1186)",
                        "report 1: 14 steps repeated (from 1200 to 1186)",
                        "report 1: 16 steps repeated in 2 restarts (from 1200 to 1186, from 1188 to 1186)");
        assertThat(facts.reports()).singleElement().returns(16L, CycleReport::repeated);
        assertThat(page(1)).contains("16 steps repeated in 2 restarts (from 1200 to 1186, from 1188 to 1186)");
    }

    @Test
    void reportOfATrainingThatTellsNoStepsSaysThatNobodyKnows() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        agent.report();

        assertThat(facts.reports().get(0))
                .returns(null, CycleReport::repeated)
                .returns(Repetition.UNKNOWN.text(false), CycleReport::steps);
    }

    @Test
    void restartAfterTheReportIsNotThatOfTheReport() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        agent.report();

        agent.interrupted(4, fault(0, Interruption.Kind.LEAVING, "a rank joins"));
        write(resumed(0, 5, 1250, 1250));
        agent.report();

        assertThat(facts.reports()).singleElement().returns(null, CycleReport::repeated);
    }

    @Test
    void firstStepThatIsKnownOnlyAfterTheNextFaultIsThatOfTheReportBefore() throws Exception {
        Agent agent = new Agent();
        agent.lead();
        agent.reporter.seated(Facts.CYCLE, 4);
        write(ended(0, 1, 17, Evidence.NONE));
        agent.report();

        write(ended(0, 1, 17, Evidence.NONE));
        agent.interrupted(5, fault(1, Interruption.Kind.TERMINATED, "it died"));
        write(resumed(0, 5, 1200, 1186));
        write(resumed(0, 6, 1190, 1189));
        agent.report();

        assertThat(facts.reports()).extracting(CycleReport::repeated).containsExactly(14L, 1L);
    }

    @Test
    void nextLeaderCompletesTheReportOfTheOneBefore() throws Exception {
        Agent first = new Agent();
        first.lead();
        write(ended(0, 1, 17, Evidence.NONE));
        first.report();
        first.reporter.lead(false);

        Agent second = new Agent();
        second.lead();
        write(resumed(0, 5, 1200, 1186));
        first.runAll();
        second.runAll();

        assertThat(first.announced).noneMatch(line -> line.contains("repeated (from"));
        assertThat(second.announced).containsExactly("report 1: 14 steps repeated (from 1200 to 1186)");
    }
}
