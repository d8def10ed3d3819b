package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.Control;
import dev.resiliency.monitor.spi.RankStamps.OpenSection;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which facts an agent writes about its processes: what is a fault, what was asked for, and who followed. */
class AttributionTest {
    /** The number of the fact that all processes of the node run for the first time. */
    private static final long START = 1;

    /** The number by which the job knows a process that has taken part, as it has stamped. */
    private static final int MEMBER = 9;

    private static final OptionalInt NO_PROMISE = OptionalInt.empty();

    private final Map<Integer, RankStamps> stamped = new ConcurrentHashMap<>();
    private final InMemoryStore store = InMemoryStore.create();
    private final InMemoryStore session = store.newSession();
    private final SessionStore agents = NodeSession.storeOf(session, "job");
    private final List<Fact> facts = new CopyOnWriteArrayList<>();
    private final List<String> said = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private Attribution attribution;
    private boolean hasFinished;

    @BeforeEach
    void open() {
        attribution = newAttribution(store::newSession);
        new ReportStore(NodeSession.storeOf(store.newSession(), "job")).watch(fact -> {
            if (fact.number() > START) {
                facts.add(fact);
            }
        });
        attribution.open(session, agents, line -> {}, reason -> {});
        attribution.started(0, "rank 0", 0, 1000, NO_PROMISE, true);
        attribution.started(1, "rank 1", 1, 1001, NO_PROMISE, true);
    }

    private Attribution newAttribution(Supplier<SessionStore> reconnect) {
        return newAttribution(reconnect, 0);
    }

    private Attribution newAttribution(Supplier<SessionStore> reconnect, int spares) {
        LauncherLog log = LauncherLog.ofAgent("n0");
        log.copyTo(said::add);
        return new Attribution(
                new AttributionSettings(
                        "job", "n0", 2, spares, List.of("java"), directory, Path.of("/none/kmsg"), null),
                log,
                process -> Optional.ofNullable(stamped.get(process)),
                reconnect);
    }

    @AfterEach
    void close() throws InterruptedException {
        finish();
        session.close();
        store.close();
    }

    private void end(int process, int code) {
        attribution.ended(process, "rank " + process, new RankEnd(ExitReason.of(code), JobPart.NONE), null);
        attribution.askedAll();
    }

    private static RankStamps stamps(OptionalInt iteration, String... sections) {
        return new RankStamps(
                1000,
                1,
                1,
                false,
                OptionalLong.of(41),
                OptionalLong.empty(),
                List.of(),
                OptionalLong.empty(),
                1,
                Stream.of(sections).map(name -> new OpenSection(name, 1, false)).toList(),
                Control.NONE,
                iteration,
                iteration.isEmpty() ? iteration : OptionalInt.of(MEMBER),
                OptionalInt.empty(),
                JobPart.MEMBER,
                MemoryUse.NONE,
                0);
    }

    private void ask(int process) {
        attribution.asked(process);
        attribution.askedAll();
    }

    private void restart(int process) {
        attribution.started(process, "rank " + process, process, 2000 + process, NO_PROMISE, false);
    }

    private void finish() throws InterruptedException {
        if (!hasFinished) {
            hasFinished = true;
            attribution.finish();
        }
    }

    /** Returns the first line of each report that was written into the directory, once the agent has ended. */
    private List<String> reported() throws Exception {
        finish();
        List<String> titles = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".txt")).toList()) {
                titles.add(Files.readAllLines(file).get(0));
            }
        }
        return titles;
    }

    /** Returns what was written, as text; another fact is written behind it, so that nothing is missed. */
    private List<String> written() {
        attribution.nodeLost("the end");
        await().until(() -> facts.stream().anyMatch(fact -> fact.node().equals("the end")));
        return facts.stream()
                .filter(fact -> !fact.node().equals("the end"))
                .sorted(Comparator.comparingLong(Fact::number))
                .map(fact -> "%d %s %s%s%s"
                        .formatted(
                                fact.number() - START,
                                fact.kind(),
                                fact.who(),
                                fact.exitCode() == null ? "" : " " + fact.exitCode(),
                                fact.followers().isEmpty() ? "" : " " + fact.followers()))
                .toList();
    }

    @Test
    void processThatEndsWithoutAnErrorIsNoFault() {
        end(0, 0);
        end(1, 0);
        attribution.leaving();

        assertThat(written()).isEmpty();
    }

    @Test
    void failureAndTheRestartAfterItAreFacts() {
        end(1, 17);
        restart(1);

        assertThat(written()).containsExactly("1 PROCESS_ENDED rank 1 17", "2 RECOVERED node n0");
        assertThat(facts.get(0))
                .returns(1, Fact::rank)
                .returns(1, Fact::member)
                .returns(1001L, Fact::pid)
                .returns("n0", Fact::node)
                .returns("exited with code 17", Fact::text)
                .returns(false, Fact::isAsked);
    }

    private static RankStamps began(int iteration, long before, long first) {
        RankStamps plain = stamps(OptionalInt.of(iteration));
        return new RankStamps(
                plain.pid(),
                plain.opened(),
                plain.heartbeat(),
                plain.isWarmUp(),
                plain.step(),
                plain.reached(),
                List.of(
                        new RankStamps.Beginning(iteration - 1, OptionalLong.of(before), first),
                        new RankStamps.Beginning(iteration, OptionalLong.of(first + 2), first)),
                OptionalLong.of(first),
                plain.sectionUse(),
                plain.openSections(),
                plain.control(),
                plain.iteration(),
                plain.initialRank(),
                plain.activeRank(),
                plain.part(),
                plain.memory(),
                plain.dropped());
    }

    @Test
    void whereRanksGoOnIsAFactOnlyOnce() {
        stamped.put(0, began(4, 1200, 1186));
        stamped.put(1, began(4, 1200, 1186));
        assertThat(attribution.stamps(0)).isPresent();
        assertThat(attribution.stamps(1)).isPresent();
        assertThat(attribution.stamps(1)).isPresent();

        assertThat(written()).filteredOn(fact -> fact.contains("RESUMED")).hasSize(2);
        assertThat(facts)
                .filteredOn(fact -> fact.kind() == Kind.RESUMED)
                .extracting(Fact::text)
                .containsExactly(
                        "goes on at step 1186, and was at step 1200 before",
                        "goes on at step 1186, and was at step 1188 before");
        assertThat(facts)
                .extracting(Fact::resumption)
                .contains(new Resumption(0, 3, 1200, 1186, false), new Resumption(0, 4, 1188, 1186, false));
    }

    @Test
    void nodeHasRecoveredWhenAllThatWereDownRunAgain() {
        end(0, 17);
        end(1, 18);
        restart(0);
        restart(1);
        restart(1);

        assertThat(written())
                .containsExactly("1 PROCESS_ENDED rank 0 17", "2 PROCESS_ENDED rank 1 18", "3 RECOVERED node n0");
    }

    @Test
    void processThatWasAskedToEndHasFollowedWhateverItsCode() {
        end(1, 17);
        ask(0);
        end(0, 0);
        restart(0);
        restart(1);

        assertThat(written())
                .containsExactly("1 PROCESS_ENDED rank 1 17", "2 ENDS node n0 [rank 0]", "3 RECOVERED node n0");
    }

    @Test
    void followersAreNamedOnce() {
        ask(0);
        end(0, 143);
        restart(0);
        end(1, 17);
        restart(1);
        attribution.leaving();

        assertThat(written())
                .containsExactly(
                        "1 ENDS node n0 [rank 0]",
                        "2 RECOVERED node n0",
                        "3 PROCESS_ENDED rank 1 17",
                        "4 RECOVERED node n0");
    }

    @Test
    void thoseWhoAreEndedAtOnceAreOneFact() {
        attribution.asked(0);
        attribution.asked(1);
        attribution.asked(1);
        attribution.askedAll();
        attribution.askedAll();

        assertThat(written()).containsExactly("1 ENDS node n0 [rank 0, rank 1]");
    }

    @Test
    void wrappedProcessIsBackWhenItTakesPartAgain() {
        stamped.put(1, stamps(OptionalInt.of(3)));
        end(1, 17);
        stamped.put(1, stamps(OptionalInt.empty()));
        restart(1);
        attribution.look();
        assertThat(attribution.untilLook()).isPresent();
        assertThat(written()).containsExactly("1 PROCESS_ENDED rank 1 17");

        stamped.put(1, stamps(OptionalInt.of(4)));
        attribution.look();

        assertThat(attribution.untilLook()).isEmpty();
        await().until(() -> facts.stream().anyMatch(fact -> fact.kind() == Kind.RECOVERED));
    }

    /** The world may be whole without it until the next restart. */
    @Test
    void wrappedProcessIsBackAsItWaitsToBeTakenInIfThereAreSpares() throws Exception {
        attribution.finish();
        attribution = newAttribution(store::newSession, 1);
        attribution.open(session, agents, line -> {}, reason -> {});
        attribution.started(0, "rank 0", 0, 1000, NO_PROMISE, true);
        attribution.started(1, "rank 1", 1, 1001, NO_PROMISE, true);
        stamped.put(1, stamps(OptionalInt.of(3)));
        end(1, 17);
        stamped.put(1, stamps(OptionalInt.empty()));

        restart(1);
        attribution.look();

        assertThat(attribution.untilLook()).isEmpty();
        await().until(() -> facts.stream().anyMatch(fact -> fact.kind() == Kind.RECOVERED));
    }

    @Test
    void processThatHasJoinedIsKnownByTheNumberThatItHasStamped() throws Exception {
        stamped.put(1, stamps(OptionalInt.of(3)));
        attribution.look();
        assertThat(new ReportStore(agents).member(MEMBER, agents.timeout())).containsExactly("rank 1", "n0");

        end(1, 17);

        written();
        assertThat(facts.get(0)).returns(1, Fact::rank).returns(MEMBER, Fact::member);
    }

    @Test
    void suspendedProcessIsSaidToBe() {
        attribution.overdue(1, "no heartbeat for 5 s", true);

        written();
        assertThat(facts.get(0)).returns("is suspended (state T); no heartbeat for 5 s", Fact::text);
        assertThat(new Casualty(facts).standing()).isEqualTo(Standing.of(Activity.SUSPENDED));
    }

    @Test
    void whatWasAskedOfTheProcessBeforeDoesNotExcuseItsSuccessor() {
        ask(1);
        restart(1);
        end(1, 17);

        assertThat(written()).containsExactly("1 ENDS node n0 [rank 1]", "2 PROCESS_ENDED rank 1 17");
    }

    @Test
    void processThatIsEndedAsItHangsHasFailedItself() {
        stamped.put(1, stamps(OptionalInt.of(3), "step", "all-reduce"));
        attribution.overdue(1, "no heartbeat for 5 s", false);
        ask(1);
        end(1, 143);

        assertThat(written()).containsExactly("1 OVERDUE rank 1", "2 PROCESS_ENDED rank 1");
        assertThat(facts.get(0).evidence())
                .returns(List.of("step", "all-reduce"), Evidence::sections)
                .returns(41L, Evidence::step);
        assertThat(facts.get(0)).returns("no heartbeat for 5 s", Fact::text).returns(1001L, Fact::pid);
        assertThat(facts.get(1).signal()).isEqualTo("SIGTERM");
    }

    @Test
    void hangOfTheProcessBeforeDoesNotAccuseItsSuccessor() {
        attribution.overdue(1, "no heartbeat for 5 s", false);
        restart(1);
        ask(1);
        end(1, 143);

        assertThat(written()).containsExactly("1 OVERDUE rank 1", "2 ENDS node n0 [rank 1]");
    }

    @Test
    void processThatDoesNotRunIsNotOverdue() {
        end(1, 0);
        attribution.overdue(1, "no heartbeat for 5 s", false);

        assertThat(written()).isEmpty();
    }

    @Test
    void agentThatLeavesNamesThoseThatItHasEnded() {
        end(0, 130);
        ask(1);
        end(1, 143);
        attribution.leaving();

        assertThat(written())
                .containsExactly("1 PROCESS_ENDED rank 0 130", "2 ENDS node n0 [rank 1]", "3 LEFT node n0");
    }

    @Test
    void commandThatCannotBeStartedIsAFact() {
        attribution.ended(5, "spare 0.5", new RankEnd(new NotStarted(127, "there is no file x"), JobPart.NONE), null);

        assertThat(written()).containsExactly("1 NOT_STARTED spare 0.5");
        assertThat(facts.get(0)).returns(Fact.NONE, Fact::rank).returns(0L, Fact::pid);
    }

    @Test
    void replacementHasTheNumberThatItWasPromised() throws Exception {
        attribution.started(2, "spare 0.2", -1, 1002, NO_PROMISE, true);
        end(2, 1);
        attribution.started(2, "spare 0.2", -1, 2002, OptionalInt.of(9), false);
        end(2, 1);
        restart(1);
        end(1, 1);

        written();
        assertThat(facts.stream().filter(fact -> fact.kind() == Kind.PROCESS_ENDED))
                .extracting(Fact::member)
                .containsExactly(Fact.NONE, 9, Fact.NONE);
        assertThat(new ReportStore(agents).member(9, agents.timeout())).containsExactly("spare 0.2", "n0");
    }

    @Test
    void lostNodeIsNamed() {
        attribution.nodeLost("n7");

        assertThat(written()).containsExactly("1 NODE_LOST node n7");
    }

    @Test
    void formerAgentOfTheNodeIsNoLostNode() {
        attribution.nodeLost("n0");

        assertThat(written()).containsExactly("1 AGENT_REPLACED node n0");
    }

    @Test
    void agentThatWasRefusedKeepsAReport() throws Exception {
        attribution.refused("another release");

        assertThat(reported()).containsExactly("report 1: CONFIGURATION");
        assertThat(said).singleElement().asString().contains("report 1: CONFIGURATION on node n0");
    }

    @Test
    void agentThatHasWaitedInVainKeepsAReport() throws Exception {
        attribution.nodesMissing("1 of 2 nodes have come");

        assertThat(reported()).containsExactly("report 1: NODES_MISSING");
    }

    @Test
    void agentThatHasLostItsStoreKeepsAReport() throws Exception {
        attribution.storeLost("the connection was lost");

        assertThat(reported()).containsExactly("report 1: STORE_LOST");
    }

    /** An agent that ends early has no store yet. */
    @Test
    void agentThatEndsBeforeItHasAStoreNotesNothing() throws Exception {
        Attribution early = newAttribution(store::newSession);

        early.seated(0, 4);
        early.started(0, "rank 0", 0, 1000, NO_PROMISE, true);
        early.overdue(0, "no heartbeat for 5 s", false);
        early.ended(0, "rank 0", new RankEnd(ExitReason.of(17), JobPart.NONE), null);
        early.asked(1);
        early.ended(1, "rank 1", new RankEnd(ExitReason.of(143), JobPart.NONE), null);
        early.nodeLost("n1");
        early.storeLost("the connection was lost");
        early.refused("another release");
        early.lead(true);
        early.leaving();
        early.finish();

        assertThat(written()).isEmpty();
        assertThat(reported()).isEmpty();
    }

    /** One that was refused speaks another protocol: it must not write into the job. */
    @Test
    void agentThatNeverHadAPartInTheJobWritesNothingAsItLeaves() throws Exception {
        SessionStore others = NodeSession.storeOf(session, "other");
        Attribution spare = newAttribution(store::newSession);
        spare.open(session, others, line -> {}, reason -> {});

        spare.leaving();
        spare.finish();

        assertThat(others.keys("")).isEmpty();
    }

    @Test
    void reportThatFailsCostsNoLaterOne() throws Exception {
        Attribution cutOff = newAttribution(() -> {
            throw new IllegalStateException("no thread is left");
        });
        cutOff.open(store.newSession(), agents, line -> {}, reason -> {});

        cutOff.cutOff("the store has heard nothing of it for 10 s");
        cutOff.refused("another release");
        cutOff.finish();

        assertThat(said).anySatisfy(line -> assertThat(line).endsWith("no report could be written: no thread is left"));
        assertThat(reported()).containsExactly("report 1: CONFIGURATION");
    }

    @Test
    void agentThatTheOthersTakeForDeadTellsThemThroughAnotherSession() {
        attribution.cutOff("the store has heard nothing of it for 10 s");

        await().until(() -> !facts.isEmpty());
        assertThat(facts)
                .singleElement()
                .satisfies(fact ->
                        assertThat(fact).returns(Kind.CUT_OFF, Fact::kind).returns("n0", Fact::node));
    }

    @Test
    void rankThatIsNoneOfTheFoundersIsAProcess() {
        assertThat(Facts.recorded(1, 3, "EXCEPTION", "NaN"))
                .returns("rank 3", Fact::who)
                .returns(3, Fact::rank)
                .returns("NaN", Fact::text);
        assertThat(Facts.recorded(1, 4, "EXCEPTION", ""))
                .returns("rank 4, which joined later", Fact::who)
                .returns(Fact.NONE, Fact::rank)
                .returns(4, Fact::member)
                .returns("has EXCEPTION", Fact::text);
    }

    @Test
    void firstProcessOfARankHasItsNumber() {
        end(0, 17);
        restart(0);
        end(0, 17);

        written();
        assertThat(facts.stream().filter(fact -> fact.kind() == Kind.PROCESS_ENDED))
                .extracting(Fact::member)
                .containsExactly(0, Fact.NONE);
    }

    @Test
    void processEndsInTheCycleInWhichItHasStarted() {
        attribution.seated(1, 2);
        restart(1);
        end(0, 17);
        end(1, 17);

        written();
        assertThat(facts.stream().filter(fact -> fact.kind() == Kind.PROCESS_ENDED))
                .extracting(Fact::cycle)
                .containsExactly(0, 1);
    }

    @Test
    void agentThatEndsReportsWhatItHasNoticedIfItLeads() throws Exception {
        attribution.lead(true);
        end(1, 17);
        finish();

        assertThat(new ReportStore(agents).reports())
                .extracting(CycleReport::verdict)
                .containsExactly("EXITED(17)");
    }

    @Test
    void agentThatDoesNotLeadAnyMoreReportsNothing() throws Exception {
        attribution.lead(true);
        attribution.lead(false);
        end(1, 17);
        finish();

        assertThat(new ReportStore(agents).reports()).isEmpty();
    }

    @Test
    void agentThatWasRefusedOrHasLostItsStoreTellsNobody() {
        attribution.refused("another release");
        attribution.storeLost("the connection was lost");
        end(1, 17);
        attribution.leaving();

        assertThat(written()).containsExactly("1 PROCESS_ENDED rank 1 17");
    }
}
