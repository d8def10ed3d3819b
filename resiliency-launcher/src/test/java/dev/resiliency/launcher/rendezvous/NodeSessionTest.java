package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Agents of several nodes at one store in memory, stepped by the test. */
class NodeSessionTest {
    private final InMemoryStore store = InMemoryStore.create(Duration.ofMinutes(5));
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private String policy = "soft";
    private String address = "10.0.0.1";

    @AfterEach
    void close() {
        store.close();
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** An agent that notes what it learns. */
    private final class TestNode extends RecordedListener {
        final List<String> notes = new ArrayList<>();
        final List<String> lost = new ArrayList<>();
        final InMemoryStore session = store.newSession();
        final NodeSession node;
        final List<Seat> seats = new ArrayList<>();
        /** Whether its processes do not end at once in the next cycle. */
        boolean isStopping;
        /** What its agent does not do yet, while it is slow. */
        final Queue<Runnable> delayed = new ArrayDeque<>();

        boolean isSlow;

        TestNode(String name, int min, int max, int processes, Duration timeout) {
            this(name, min, max, processes, timeout, false);
        }

        TestNode(String name, int min, int max, int processes, Duration timeout, boolean isSlow) {
            this.isSlow = isSlow;
            node = new NodeSession(
                    session,
                    new NodeSettings(
                            "job",
                            new Terms(min, processes, policy, 0, true),
                            max,
                            name,
                            address,
                            Node.NO_RANK,
                            "",
                            timeout,
                            Duration.ofHours(1),
                            Duration.ofHours(1),
                            false),
                    task -> (this.isSlow ? delayed : tasks).add(task),
                    this);
            node.arrive();
            runAll();
        }

        /** Does the first of what it has not done yet. */
        void step(int count) {
            for (int i = 0; i < count && !delayed.isEmpty(); i++) {
                delayed.remove().run();
            }
        }

        void catchUp() {
            isSlow = false;
            tasks.addAll(delayed);
            delayed.clear();
            runAll();
        }

        @Override
        public void seated(Seat seat) {
            super.seated(seat);
            seats.add(seat);
        }

        @Override
        public void cycleCalled(int cycle, String reason) {
            super.cycleCalled(cycle, reason);
            if (!isStopping) {
                node.awaitSeat(cycle);
            }
        }

        @Override
        public void nodeLost(String name) {
            lost.add(name);
        }

        @Override
        public void noted(String line) {
            notes.add(line);
            if (line.contains("this one waits")) {
                learned.add("noted: " + line);
            }
        }
    }

    private TestNode node(String name) {
        return new TestNode(name, 2, 2, 4, Duration.ofMinutes(1));
    }

    @Test
    void nodesAreSeatedWhenEnoughHaveCome() {
        TestNode b = node("b");
        assertThat(b.learned).isEmpty();

        TestNode a = node("a");

        assertThat(a.learned).containsExactly("seat 0 in cycle 0");
        assertThat(b.learned).containsExactly("seat 1 in cycle 0");
    }

    @Test
    void whoTookItselfForTheLowestNoticesTheLossOfTheOneThatSeatedTheNodes() {
        TestNode first = new TestNode("a", 2, 2, 4, Duration.ofMinutes(1), true); // has a number, but has not come yet
        TestNode second = node("b");
        first.catchUp();
        assertThat(second.learned).containsExactly("seat 1 in cycle 0");

        first.session.abandon();
        runAll();

        assertThat(second.learned).containsExactly("seat 1 in cycle 0", "gone: node a (10.0.0.1) is lost");
    }

    @Test
    void agentThatLosesTheStoreLearnsIt() {
        node("a");
        TestNode b = node("b");

        b.session.abandon();
        runAll();

        assertThat(b.learned).hasSize(2).last().asString().startsWith("lost: ");
    }

    @Test
    void lowestOfThoseThatLiveLeads() {
        TestNode a = new TestNode("a", 3, 3, 4, Duration.ofMinutes(1), true); // has not come yet
        assertThat(a.node.isLowest()).isFalse();
        a.catchUp();
        TestNode b = new TestNode("b", 3, 3, 4, Duration.ofMinutes(1));
        assertThat(a.node.isLowest()).isTrue();
        assertThat(b.node.isLowest()).isFalse();

        a.session.abandon();
        runAll();

        assertThat(b.node.isLowest()).isTrue();
    }

    @Test
    void healthIsAnEventOnlyWhenItChanges() throws Exception {
        TestNode a = node("a");
        node("b");
        a.node.markHealthy();
        runAll();
        a.node.markUnhealthy("the disk is full");
        a.node.markUnhealthy("the disk is full, and more");
        runAll();
        a.node.markHealthy();
        runAll();
        a.node.markHealthy();
        runAll();

        assertThat(events())
                .filteredOn(line -> line.contains("HEALTHY"))
                .containsExactly(
                        "a NODE_UNHEALTHY node a is unhealthy: the disk is full",
                        "a NODE_HEALTHY node a is healthy again");
    }

    @Test
    void lossOfANodeWhileACycleBeginsIsWrittenDown() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        b.isStopping = true; // so there are no seats yet
        a.node.callCycle(1, "a test", isFirst -> {});
        runAll();

        b.session.abandon();
        runAll();

        assertThat(events()).containsOnlyOnce("a NODE_LOST node b (10.0.0.1) is lost");
        assertThat(a.learned).doesNotContain("gone: node b (10.0.0.1) is lost"); // which would call another cycle
        assertThat(a.lost).containsExactly("b");
    }

    @Test
    void lowestThatLivesSeatsTheOthers() {
        TestNode first = new TestNode("a", 3, 3, 4, Duration.ofMinutes(1));
        TestNode second = new TestNode("b", 3, 3, 4, Duration.ofMinutes(1));
        first.session.abandon();
        runAll();

        new TestNode("c", 3, 3, 4, Duration.ofMinutes(1));
        TestNode fourth = new TestNode("d", 3, 3, 4, Duration.ofMinutes(1));

        assertThat(second.learned).containsExactly("seat 0 in cycle 0");
        assertThat(fourth.learned).containsExactly("seat 2 in cycle 0");
    }

    @Test
    void lostNodeIsReportedOnceAndGetsItsSeatBack() {
        TestNode a = node("a");
        TestNode b = node("b");

        b.session.abandon();
        runAll();
        TestNode again = node("b");

        assertThat(a.learned).containsExactly("seat 0 in cycle 0", "gone: node b (10.0.0.1) is lost");
        assertThat(again.learned).containsExactly("seat 1 in cycle 0");
    }

    @Test
    void agentDoesNotSayOfItsOwnNodeThatItIsLost() throws Exception {
        TestNode first = new TestNode("a", 1, 1, 4, Duration.ofMinutes(1));
        first.session.abandon();
        runAll();
        TestNode again = new TestNode("a", 1, 1, 4, Duration.ofMinutes(1));

        assertThat(again.learned)
                .containsExactly("gone: the former agent of node a (10.0.0.1) is lost", "seat 0 in cycle 0");
        assertThat(events()).contains("a NODE_LOST the former agent of node a (10.0.0.1) is lost");
    }

    @Test
    void agentOfANodeThatHasComeAgainCountsAsDead() {
        node("a");
        TestNode b = node("b");

        TestNode again = node("b");

        assertThat(again.learned).containsExactly("seat 1 in cycle 0");
        assertThat(b.learned).last().asString().startsWith("cut off: this agent counts as dead");
    }

    @Test
    void lowestThatHasComeAgainCountsAsDead() {
        TestNode a = node("a");
        TestNode b = node("b");

        TestNode again = node("a");

        assertThat(again.learned).containsExactly("seat 0 in cycle 0");
        assertThat(a.learned).last().asString().startsWith("cut off: this agent counts as dead");
        assertThat(b.learned).containsExactly("seat 1 in cycle 0", "gone: node a (10.0.0.1) is lost");
    }

    @Test
    void agentThatHasLeftIsNotReportedWhenItsNodeComesAgain() {
        TestNode a = node("a");
        TestNode b = node("b");
        b.node.leave(true, Stay.BRIEFLY);
        runAll();

        node("b");

        assertThat(a.learned).containsExactly("seat 0 in cycle 0");
    }

    @Test
    void nodeAfterTheFirstOnesSeatsLateNodesWhenTheLowestHasDied() {
        TestNode a = node("a");
        TestNode b = node("b");
        a.session.abandon();
        runAll();

        TestNode again = node("a");

        assertThat(b.learned).containsExactly("seat 1 in cycle 0", "gone: node a (10.0.0.1) is lost");
        assertThat(again.learned).containsExactly("seat 0 in cycle 0");
    }

    @Test
    void nodeWithOtherTermsIsRefusedAndDisturbsNobody() {
        TestNode a = node("a");
        TestNode odd = new TestNode("odd", 2, 2, 8, Duration.ofMinutes(1));
        TestNode b = node("b");

        assertThat(odd.learned)
                .containsExactly(
                        "refused: job 'job' does not admit this node: --nproc-per-node is 4 there, and 8 on this"
                                + " node");
        assertThat(a.learned).containsExactly("seat 0 in cycle 0");
        assertThat(b.learned).containsExactly("seat 1 in cycle 0");
    }

    @Test
    void tooFewNodesAreNamed() {
        TestNode a = new TestNode("a", 2, 2, 1, Duration.ofMillis(1));

        await().untilAsserted(() -> {
            runAll();
            assertThat(a.learned).containsExactly("missing: only 1 of 2 nodes came within 0 s: a (10.0.0.1)");
        });
    }

    @Test
    void endOfTheJobReachesAllAndThoseThatComeLater() {
        TestNode a = node("a");
        TestNode b = node("b");

        a.node.endJob(93, "rank 3 asks for it");
        a.node.endJob(93, "another reason");
        runAll();

        assertThat(b.learned).last().isEqualTo("ended with 93: rank 3 asks for it");
        assertThat(node("c").learned).containsExactly("ended with 93: rank 3 asks for it");
    }

    @Test
    void cycleIsCalledOnceAndAllGetSeatsInIt() {
        TestNode a = node("a");
        TestNode b = node("b");
        List<CycleCall> callers = new ArrayList<>();

        a.node.callCycle(1, "rank 0 failed", callers::add);
        b.node.callCycle(1, "rank 5 failed", callers::add);
        runAll();

        assertThat(callers).containsExactly(CycleCall.FIRST, CycleCall.LATE);
        for (TestNode each : List.of(a, b)) {
            assertThat(each.learned).contains("cycle 1: rank 0 failed");
        }
        assertThat(a.learned).last().isEqualTo("seat 0 in cycle 1");
        assertThat(b.learned).last().isEqualTo("seat 1 in cycle 1");
    }

    @Test
    void keysOfEarlierCyclesAreRemoved() throws Exception {
        TestNode a = node("a");
        node("b");
        a.node.callCycle(1, "rank 0 failed", won -> {});
        runAll();
        List<String> keys = keysButEvents();

        for (int cycle = 2; cycle < 20; cycle++) {
            a.node.callCycle(cycle, "rank 0 failed", won -> {});
            runAll();
        }

        assertThat(keysButEvents()).hasSameSizeAs(keys).contains("agents/job/seats/19/0", "agents/job/seats/19/1");
        assertThat(a.learned).last().isEqualTo("seat 0 in cycle 19");
    }

    /** The events are kept, but only the last. */
    private List<String> keysButEvents() throws InterruptedException {
        return store.keys("agents/job/").stream()
                .filter(key -> !key.startsWith("agents/job/events/"))
                .toList();
    }

    @Test
    void cycleThatIsOverIsNotCalledAgain() {
        TestNode a = node("a");
        TestNode b = node("b");
        a.node.callCycle(2, "rank 0 failed", won -> {});
        runAll();
        List<CycleCall> callers = new ArrayList<>();

        b.node.callCycle(1, "rank 5 failed", callers::add);
        runAll();

        assertThat(callers).containsExactly(CycleCall.LATE);
        assertThat(b.learned).last().isEqualTo("seat 1 in cycle 2");
    }

    @Test
    void nodeThatComesLateIsSeatedInTheCurrentCycle() {
        TestNode a = node("a");
        TestNode b = node("b");
        b.session.abandon();
        runAll();
        a.node.callCycle(1, "node b is lost", won -> {});
        runAll();

        TestNode again = node("b");

        assertThat(again.learned).last().isEqualTo("seat 1 in cycle 1");
        assertThat(a.learned).last().isEqualTo("seat 0 in cycle 1");
    }

    @Test
    void nodesThatComeLateAllGetSeatsOfTheirOwn() {
        TestNode a = node("a");
        TestNode b = node("b");

        TestNode c = node("c");
        TestNode d = node("d");
        assertThat(c.learned).containsExactly("seat 2 in cycle 0");
        assertThat(d.learned).containsExactly("seat 3 in cycle 0");
        assertThat(a.notes)
                .containsExactly(
                        "node c (10.0.0.1) has joined, as group rank 2",
                        "node d (10.0.0.1) has joined, as group rank 3");

        a.isSlow = true; // so that it learns of the next two at once
        TestNode f = node("f");
        TestNode e = node("e");
        a.catchUp();
        assertThat(e.learned).containsExactly("seat 4 in cycle 0");
        assertThat(f.learned).containsExactly("seat 5 in cycle 0");
        assertThat(b.learned).containsExactly("seat 1 in cycle 0");
    }

    @ParameterizedTest
    @MethodSource("steps")
    void noTwoGetOneGroupRankWhenTwoTakeThemselvesForTheLowest(int steps) {
        TestNode first = new TestNode("a", 1, 1, 4, Duration.ofMinutes(1), true); // has a number, but has not come yet
        TestNode second = new TestNode("b", 1, 1, 4, Duration.ofMinutes(1));
        second.isSlow = true; // so that it does not learn that a lower one has come
        TestNode third = new TestNode("z", 1, 1, 4, Duration.ofMinutes(1));
        second.step(steps % 4);
        first.step(steps / 4); // now it may take itself for the lowest as well

        second.catchUp();
        first.catchUp();

        assertThat(List.of(first, second, third))
                .extracting(node -> node.learned.get(0))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrder("seat 0 in cycle 0", "seat 1 in cycle 0", "seat 2 in cycle 0");
    }

    static IntStream steps() {
        return IntStream.range(0, 100);
    }

    @Test
    void seatsOfWhoeverWasFirstStand() throws Exception {
        TestNode a = node("a"); // which takes itself for the one that seats the nodes
        SessionStore keys = NodeSession.storeOf(store, "job");
        keys.addToSet(Keys.TABLES, IndexSet.of(0));
        keys.set(Keys.seat(0, 0), new Seat(0, 1, 2, 4).text());
        keys.set(Keys.seat(0, 1), new Seat(0, 2, 2, 4).text());

        TestNode b = node("b");
        TestNode c = node("c");

        assertThat(a.learned).containsExactly("seat 1 in cycle 0");
        assertThat(b.learned).containsExactly("seat 2 in cycle 0");
        assertThat(c.learned).as("the seat that the other has left free").containsExactly("seat 0 in cycle 0");
    }

    @Test
    void nodeThatIsToLeaveGetsNoSeatInTheNextCycle() throws Exception {
        policy = "hard";
        TestNode a = node("a");
        TestNode b = node("b");
        TestNode c = node("c");
        HostMark.write(store, "a");
        a.isStopping = true;
        a.node.callCycle(1, "a test", isFirst -> {});
        runAll();

        new JobControl(store, "job").drain("b");
        runAll();
        a.node.awaitSeat(1);
        runAll();

        assertThat(a.learned).last().isEqualTo("seat 0 in cycle 1");
        assertThat(b.learned).last().isEqualTo("drained: resiliency drain");
        assertThat(c.learned).last().isEqualTo("seat 1 in cycle 1");
    }

    @Test
    void jobThatMayHaveMoreNodesWaitsForThemBeforeItBegins() {
        TestNode a = new TestNode("a", 1, 2, 4, Duration.ofMinutes(1));
        assertThat(a.learned).isEmpty();
        assertThat(a.node.untilTick().orElseThrow()).isBetween(Duration.ofMinutes(1), Duration.ofHours(1));

        TestNode b = new TestNode("b", 1, 2, 4, Duration.ofMinutes(1));

        assertThat(a.learned).containsExactly("seat 0 in cycle 0");
        assertThat(b.learned).containsExactly("seat 1 in cycle 0");
    }

    @Test
    void statusShowsTheLatestOfEachNode() throws Exception {
        node("a");
        TestNode b = node("b");
        b.session.abandon();
        runAll();
        node("c");

        JobStatus status = new JobControl(store, "job").status();

        assertThat(status.terms()).isEqualTo(new Terms(2, 4, "soft", 0, true));
        assertThat(status.nodes())
                .extracting(each -> each.node().name() + " " + each.state() + " "
                        + (each.seat() == null ? "none" : each.seat().group()))
                .containsExactly("a RUNS 0", "b LOST 1", "c RUNS 1");
    }

    @Test
    void controlReachesTheAgents() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        HostMark.write(store, "a");
        JobControl control = new JobControl(store, "job");

        assertThatThrownBy(() -> control.drain("10.0.0.1"))
                .hasMessageContaining("more than one node '10.0.0.1' runs in job 'job'");
        assertThat(control.drain("b").name()).isEqualTo("b");
        assertThat(control.restart()).isEqualTo(1);
        runAll();

        assertThat(b.learned).contains("drained: resiliency drain", "cycle 1: resiliency restart");
        assertThat(a.learned).doesNotContain("drained: resiliency drain").contains("cycle 1: resiliency restart");
        assertThatThrownBy(() -> control.drain("a")).hasMessageContaining("node a (10.0.0.1) hosts the store");
        assertThatThrownBy(() -> control.drain("x")).hasMessageContaining("no node 'x' runs in job 'job'");
        JobControl other = new JobControl(store, "other");
        EventFollower follower = new EventFollower("other", there -> store, event -> {});
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(other::status, other::events, other::store, () -> follower.follow(store))) {
            assertThatThrownBy(call).hasMessageContaining("no agent of a job 'other' has registered");
        }
    }

    @Test
    void scaledJobDrainsNodesAndLetsLateOnesWaitUntilThereIsRoom() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        HostMark.write(store, "a");
        JobControl control = new JobControl(store, "job");

        control.scale(new NodeRange(1, 1));
        runAll();
        assertThat(b.learned).last().isEqualTo("drained: resiliency scale 1:1");
        b.node.leave(false, Stay.BRIEFLY);
        runAll();
        TestNode c = node("c");
        assertThat(c.learned).singleElement().asString().startsWith("noted: as many nodes as may take part are there");

        control.scale(new NodeRange(2, 2));
        runAll();
        assertThat(c.learned).last().isEqualTo("seat 1 in cycle 0");
        assertThat(control.status().nodes())
                .extracting(each -> each.node().name() + " " + each.state())
                .containsExactly("a RUNS", "b DRAINED", "c RUNS");
        assertThat(events())
                .contains("control SCALE nnodes is 1:1 from now on; asked to leave: b (10.0.0.1). WORLD_SIZE stays"
                        + " 8, that of 2 nodes, as long as ranks go on: more ranks than that are active only if the"
                        + " program's Elasticity admits them. 'resiliency restart' starts all with the WORLD_SIZE of"
                        + " --nnodes 1:1, which ranks with a Wrapper refuse");
        assertThatThrownBy(() -> control.scale(new NodeRange(3, 3)))
                .hasMessageContaining("job 'job' cannot be scaled to 3:3: 2 of 3 nodes are there");
        assertThat(a.learned).doesNotContain("drained: resiliency scale 1:1");
    }

    @Test
    void nodeThatWaitsTakesThePlaceOfALostOne() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        new JobControl(store, "job").scale(new NodeRange(2, 2));
        TestNode c = node("c");
        assertThat(c.learned).hasSize(1);

        b.session.abandon();
        runAll();

        assertThat(c.learned).last().isEqualTo("seat 1 in cycle 0");
        assertThat(a.learned).last().asString().startsWith("gone: node b");
    }

    @Test
    void nodeThatWaitsEndsWithTheJob() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        new JobControl(store, "job").scale(new NodeRange(2, 2));
        TestNode c = node("c");
        a.node.complete(0);
        runAll();
        assertThat(c.learned).hasSize(1);

        b.node.complete(0);
        runAll();
        a.node.leave(true, Stay.UNTIL_LAST);
        b.node.leave(true, Stay.BRIEFLY);
        runAll();
        assertThat(b.learned).contains("free");
        assertThat(c.learned).last().isEqualTo("ended with 0: all ranks have completed");
        assertThat(a.learned).doesNotContain("free");
        c.node.leave(false, Stay.BRIEFLY);
        runAll();

        assertThat(a.learned).contains("free");
        assertThat(events()).filteredOn(each -> each.contains("JOB_ENDED")).hasSize(1);
    }

    @Test
    void hardJobFoundsAWorldOfAnotherSizeOnceAllItsProcessesHaveEnded() throws Exception {
        policy = "hard";
        TestNode a = node("a");
        TestNode b = node("b");
        TestNode c = node("c");
        HostMark.write(store, "a");
        a.isStopping = true;
        c.isStopping = true;

        assertThat(new JobControl(store, "job").scale(new NodeRange(1, 2)))
                .isEqualTo("nnodes is 1:2 from now on; asked to leave: c (10.0.0.1); all ranks start again in cycle 1");
        runAll();
        assertThat(b.learned).last().isEqualTo("cycle 1: resiliency scale 1:2");
        c.node.leave(false, Stay.BRIEFLY);
        runAll();
        assertThat(b.learned).last().isEqualTo("cycle 1: resiliency scale 1:2");
        a.node.awaitSeat(1);
        runAll();

        assertThat(a.learned).last().isEqualTo("seat 0 in cycle 1");
        assertThat(b.learned).last().isEqualTo("seat 1 in cycle 1");
        assertThat(a.seats).extracting(Seat::nodes).containsExactly(2, 1);
        assertThat(c.learned).contains("drained: resiliency scale 1:2");
    }

    private List<String> events() throws Exception {
        return new JobControl(store, "job")
                .events().stream()
                        .map(each -> each.node() + " " + each.kind() + " " + each.text())
                        .toList();
    }

    @Test
    void eventsSayWhoCameWhoIsLostAndWhoHasLeftOnceEach() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        TestNode c = node("c");
        b.session.abandon();
        runAll();
        c.node.leave(false, Stay.BRIEFLY);
        runAll();
        a.session.abandon();
        runAll();
        TestNode d = node("d");
        d.node.callCycle(1, "all start again", won -> {});
        runAll();

        assertThat(events())
                .containsExactly(
                        "a NODE_CAME node a (10.0.0.1) has joined",
                        "b NODE_CAME node b (10.0.0.1) has joined",
                        "c NODE_CAME node c (10.0.0.1) has joined",
                        "a NODE_LOST node b (10.0.0.1) is lost",
                        "d NODE_CAME node d (10.0.0.1) has joined",
                        "d NODE_LOST node a (10.0.0.1) is lost",
                        "d CYCLE cycle 1: all start again");
    }

    @Test
    void lastNodeThatHasCompletedEndsTheEvents() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        List<JobEvent.Kind> followed = new ArrayList<>();
        a.node.complete(0);
        runAll();
        assertThat(events()).hasSize(2);
        b.node.complete(0);
        runAll();

        new EventFollower("job", there -> store.newSession(), event -> followed.add(event.kind()))
                .follow(store.newSession());

        assertThat(followed).containsExactly(JobEvent.Kind.NODE_CAME, JobEvent.Kind.NODE_CAME, JobEvent.Kind.JOB_ENDED);
        assertThat(events()).last().asString().endsWith("JOB_ENDED all ranks have completed");
    }

    @Test
    void endOfTheJobIsTheLastEventWithItsReason() throws Exception {
        TestNode a = node("a");
        a.node.endJob(93, "rank 3 asks for it");
        a.node.endJob(93, "another reason");
        runAll();

        assertThat(events()).last().isEqualTo("a JOB_ENDED exit code 93: rank 3 asks for it");
        assertThat(events()).hasSize(2);
    }

    @Test
    void storeKeepsTheFirstAndTheLastEvents() throws Exception {
        TestNode a = node("a");
        for (int i = 1; i <= EventLog.MOST + 3; i++) {
            a.node.report(JobEvent.Kind.RESTART, "restart " + i);
        }

        assertThat(events()).hasSize(EventLog.MOST + 1).last().isEqualTo("a RESTART restart " + (EventLog.MOST + 3));
        assertThat(new JobControl(store, "job").events().subList(0, 2))
                .extracting(JobEvent::number)
                .containsExactly(1L, 5L);
        assertThat(store.keys("agents/job/events/")).hasSize(EventLog.MOST + 1);
    }

    @Test
    void longEventIsShortenedAndStaysOneLine() {
        JobEvent event = JobEvent.read(
                1, JobEvent.write(Instant.EPOCH, "a", JobEvent.Kind.CYCLE, "two\nlines " + "x".repeat(5000)));

        assertThat(event.text()).startsWith("two\\nlines xxx").endsWith("x…").hasSize(1002);
    }

    @Test
    void lookingAtAJobWritesNothing() throws Exception {
        node("a");
        node("b");
        List<String> before = store.keys("");

        new JobControl(store, "job").status();
        events();

        assertThat(HostMark.read(store)).isEmpty();
        assertThat(store.keys("")).isEqualTo(before);
    }

    @Test
    void restartsOfTheWholeJobAreCountedInOnePlace() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        List<Integer> granted = new ArrayList<>();
        JobBudget budget = new JobBudget(3, null);

        JobControl control = new JobControl(store, "job");
        assertThat(control.status().restarts()).isZero();
        a.node.askRestart(new JobBudget(0, null), granted::add);
        runAll();
        assertThat(granted).containsExactly(0);
        granted.clear();
        for (TestNode each : List.of(a, b, a, b)) {
            each.node.askRestart(budget, granted::add); // at the same time
        }
        runAll();

        assertThat(granted).containsExactlyInAnyOrder(1, 2, 3, 0);
        assertThat(control.status().restarts()).isEqualTo(3);
    }

    @Test
    void whatAgentsShareHasTheChangesOfAll() {
        TestNode a = node("a");
        TestNode b = node("b");
        List<String> shared = new ArrayList<>();

        a.node.shareTimes(before -> before + "a", shared::add);
        b.node.shareTimes(before -> before + "b", shared::add); // at the same time
        a.node.shareProgress(before -> before + "p", shared::add);
        runAll();
        b.node.shareTimes(before -> before, shared::add);
        runAll();

        assertThat(shared)
                .containsExactlyInAnyOrder("a", "ab", "p", "ab")
                .last()
                .isEqualTo("ab");
    }

    @Test
    void agentThatHostsTheStoreWaitsForTheOthers() {
        TestNode a = node("a");
        TestNode b = node("b");

        a.node.leave(true, Stay.UNTIL_LAST);
        runAll();
        assertThat(a.learned).doesNotContain("free");
        b.node.leave(true, Stay.BRIEFLY);
        runAll();

        assertThat(b.learned).contains("free");
        assertThat(a.learned).contains("free");
    }

    @Test
    void agentThatHostsTheStoreDoesNotWaitForOneThatDies() {
        TestNode a = node("a");
        TestNode b = node("b");
        a.node.leave(true, Stay.UNTIL_LAST);
        runAll();

        b.session.abandon();
        runAll();

        assertThat(a.learned).contains("free");
    }

    @Test
    void thousandNodesFindTheirSeats() {
        List<TestNode> nodes = IntStream.range(0, 1000)
                .mapToObj(i -> new TestNode("node" + i, 1000, 1000, 8, Duration.ofHours(1)))
                .toList();

        for (int i = 0; i < nodes.size(); i++) {
            assertThat(nodes.get(i).learned).containsExactly("seat %d in cycle 0".formatted(i));
        }
    }

    @Test
    void jobThatHasEndedCannotBeChanged() {
        TestNode a = node("a");
        JobControl control = new JobControl(store, "job");
        a.node.endJob(93, "rank 3 asks for it");
        runAll();

        assertThatThrownBy(control::restart).hasMessage("job 'job' has ended: 93 rank 3 asks for it");
        assertThatThrownBy(() -> control.scale(new NodeRange(1, 1)))
                .hasMessage("job 'job' has ended: 93 rank 3 asks for it");
    }

    @Test
    void unhealthyNodeIsNamedWithItsProblemUntilItIsHealthyAgain() throws Exception {
        TestNode a = node("a");
        JobControl control = new JobControl(store, "job");

        a.node.markUnhealthy("no disk");
        a.node.markUnhealthy("no memory");
        assertThat(control.unhealthy()).isEqualTo(Map.of("a", "no memory"));
        a.node.markHealthy();
        a.node.markHealthy();
        runAll();

        assertThat(control.unhealthy()).isEmpty();
        assertThat(events())
                .containsExactly(
                        "a NODE_CAME node a (10.0.0.1) has joined",
                        "a NODE_UNHEALTHY node a is unhealthy: no disk",
                        "a NODE_HEALTHY node a is healthy again");
    }

    @Test
    void lossIsLearnedByOneAgentOnly() {
        TestNode a = new TestNode("a", 3, 3, 4, Duration.ofMinutes(1));
        TestNode b = new TestNode("b", 3, 3, 4, Duration.ofMinutes(1));
        TestNode c = new TestNode("c", 3, 3, 4, Duration.ofMinutes(1));

        c.session.abandon();
        runAll();
        a.session.abandon();
        runAll();

        assertThat(a.lost).containsExactly("c");
        assertThat(b.lost).as("of those that it has to notice").containsExactly("a");
    }

    @Test
    void nodeAtAnotherAddressWaitsUntilTheOneOfItsNameIsGone() {
        TestNode a = node("a");
        TestNode b = node("b");
        address = "10.0.0.2";

        TestNode again = node("b");
        assertThat(again.learned).isEmpty();
        assertThat(again.notes)
                .containsExactly("node b (10.0.0.1) is at another address than this one (10.0.0.2): this node waits"
                        + " for 3600 s whether it is gone");
        b.session.abandon();
        runAll();

        assertThat(again.learned).containsExactly("seat 1 in cycle 0");
        assertThat(a.learned).containsExactly("seat 0 in cycle 0", "gone: node b (10.0.0.1) is lost");
    }

    @Test
    void nodeAtAnotherAddressWaitsForNoneThatIsGoneOrDone() {
        node("a");
        TestNode b = node("b");
        b.node.leave(true, Stay.BRIEFLY);
        runAll();
        address = "10.0.0.2";
        TestNode second = node("b");
        assertThat(second.notes).isEmpty();
        second.session.abandon();
        runAll();
        address = "10.0.0.3";

        TestNode third = node("b");

        assertThat(third.notes).isEmpty();
        assertThat(third.learned).containsExactly("seat 1 in cycle 0");
    }

    @Test
    void nodeThatIsAskedToLeaveMakesRoomForOneThatWaits() throws Exception {
        node("a");
        node("b");
        HostMark.write(store, "a");
        JobControl control = new JobControl(store, "job");
        control.scale(new NodeRange(2, 2));
        TestNode c = node("c");
        assertThat(c.learned).hasSize(1);

        control.drain("b");
        runAll();

        assertThat(c.learned).last().isEqualTo("seat 2 in cycle 0");
    }

    @Test
    void ranksOfTheAgentBeforeAreForgottenWhenItsNodeComesAgain() throws Exception {
        node("a");
        TestNode b = node("b");
        b.node.publishRanks("[]");
        assertThat(store.keys("agents/job/")).contains("agents/job/" + Keys.ranks(1));
        b.session.abandon();
        runAll();

        node("b");

        assertThat(store.keys("agents/job/")).doesNotContain("agents/job/" + Keys.ranks(1));
    }

    @Test
    void agentThatLeavesGetsNoSeatAndIsNotLost() throws Exception {
        TestNode a = node("a");
        a.node.leave(false, Stay.BRIEFLY);
        runAll();

        NodeSession.storeOf(store, "job").set(Keys.seat(0, 0), new Seat(0, 0, 2, 4).text());
        runAll();

        assertThat(a.learned).containsExactly("free");
    }

    @Test
    void lastOfTheNodesThatHaveCompletedEndsTheJobForAll() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        b.node.complete(0);
        runAll();
        assertThat(b.learned).containsExactly("seat 1 in cycle 0");
        assertThat(events()).hasSize(2);

        a.node.complete(0);
        runAll();

        assertThat(a.learned).last().isEqualTo("ended with 0: all ranks have completed");
        assertThat(b.learned).last().isEqualTo("ended with 0: all ranks have completed");
        assertThat(events()).last().isEqualTo("a JOB_ENDED all ranks have completed");
    }

    @Test
    void nodeWhoseRanksHaveCompletedTakesPartInTheNextCycle() {
        policy = "hard";
        TestNode a = node("a");
        TestNode b = node("b");
        a.node.complete(0);
        runAll();

        b.node.callCycle(1, "rank 5 failed", won -> {});
        runAll();

        assertThat(a.learned).contains("cycle 1: rank 5 failed").last().isEqualTo("seat 0 in cycle 1");
        assertThat(b.learned).last().isEqualTo("seat 1 in cycle 1");
        b.node.complete(1);
        runAll();
        assertThat(a.learned)
                .as("what has completed before does not count")
                .last()
                .isEqualTo("seat 0 in cycle 1");
        a.node.complete(1);
        runAll();
        assertThat(b.learned).last().isEqualTo("ended with 0: all ranks have completed");
    }

    @Test
    void cycleIsNotCalledWhenTheRanksHaveCompletedTheJob() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        List<CycleCall> calls = new ArrayList<>();
        store.addToSet("jobs/job/call-0/finished", IndexSet.of(0)); // as ranks with a Wrapper do

        b.node.callCycle(1, "rank 5 failed", calls::add);
        runAll();

        assertThat(calls).containsExactly(CycleCall.COMPLETE);
        assertThat(a.learned).containsExactly("seat 0 in cycle 0");
        assertThatThrownBy(() -> new JobControl(store, "job").restart()).hasMessage("job 'job' has completed");
    }

    @Test
    void ofTheNextCycleAndTheEndOneStands() {
        TestNode a = new TestNode("a", 2, 2, 4, Duration.ofMinutes(1), true);
        TestNode b = node("b");
        a.catchUp();
        List<CycleCall> calls = new ArrayList<>();
        a.node.complete(0);
        b.node.complete(0);
        runAll();

        b.node.callCycle(1, "rank 5 failed", calls::add);
        runAll();

        assertThat(calls).containsExactly(CycleCall.COMPLETE);
        assertThat(b.learned).last().isEqualTo("ended with 0: all ranks have completed");
    }

    @Test
    void cycleThatIsCalledFirstKeepsTheJobFromEnding() {
        TestNode a = node("a");
        TestNode b = node("b");
        b.node.complete(0);
        runAll();
        a.isSlow = true;
        a.isStopping = true;
        a.node.complete(0);
        b.node.callCycle(1, "resiliency restart", won -> {});
        runAll();

        a.catchUp();

        assertThat(a.learned).last().isEqualTo("cycle 1: resiliency restart");
        a.node.awaitSeat(1);
        runAll();
        assertThat(a.learned).last().isEqualTo("seat 0 in cycle 1");
        assertThat(b.learned).last().isEqualTo("seat 1 in cycle 1");
    }

    @Test
    void nodeThatIsLostAfterItsRanksHaveCompletedIsNotWaitedFor() {
        policy = "hard";
        TestNode a = node("a");
        TestNode b = node("b");
        b.node.complete(0);
        b.session.abandon();
        runAll();
        assertThat(a.learned).as("no reason for another cycle").containsExactly("seat 0 in cycle 0");

        a.node.complete(0);
        runAll();

        assertThat(a.learned).last().isEqualTo("ended with 0: all ranks have completed");
    }

    @Test
    void nodeThatIsLostBeforeItsRanksHaveCompletedKeepsAHardJobFromEnding() throws Exception {
        policy = "hard";
        TestNode a = node("a");
        TestNode b = node("b");
        a.node.complete(0);
        runAll();
        b.session.abandon();
        runAll();
        assertThat(a.learned).last().isEqualTo("gone: node b (10.0.0.1) is lost");

        store.addToSet("jobs/job/call-0/finished", IndexSet.of(0));
        a.node.callCycle(1, "node b is lost", won -> {});
        runAll();

        assertThat(a.learned).as("its ranks had").last().isEqualTo("ended with 0: all ranks have completed");
    }

    @Test
    void agentThatHostsTheStoreNamesThoseForWhomItWaits() {
        TestNode a = node("a");
        TestNode b = node("b");
        TestNode c = node("c");

        b.node.leave(true, Stay.UNTIL_LAST);
        runAll();

        assertThat(b.notes).containsExactly("this agent hosts the store, so it waits for a (10.0.0.1), c (10.0.0.1)");
        a.node.leave(true, Stay.BRIEFLY);
        runAll();
        assertThat(b.learned).doesNotContain("free");
        c.node.leave(true, Stay.UNTIL_LAST);
        runAll();
        assertThat(b.learned).contains("free");
        assertThat(c.notes).as("it is the last").isEmpty();
    }

    @Test
    void rankZeroHasItsStoreWhereItsAgentSays() {
        TestNode a = node("a");
        TestNode b = node("b");
        List<String> masters = new ArrayList<>();

        b.node.master(b.seats.get(0), new Master("hostB", 2), master -> masters.add("b: " + master));
        runAll();
        assertThat(masters).isEmpty();
        a.node.master(a.seats.get(0), new Master("hostA", 1), master -> masters.add("a: " + master));
        runAll();

        assertThat(masters).containsExactlyInAnyOrder("a: Master[host=hostA, port=1]", "b: Master[host=hostA, port=1]");
    }

    @Test
    void placeOfAnEarlierCycleIsOfNoUse() throws Exception {
        TestNode a = node("a");
        TestNode b = node("b");
        List<String> masters = new ArrayList<>();
        b.node.master(b.seats.get(0), new Master("hostB", 2), master -> masters.add("b: " + master));
        a.node.callCycle(1, "a test", isFirst -> {});
        runAll();

        a.node.master(a.seats.get(0), new Master("hostA", 1), master -> masters.add("a: " + master));
        a.node.master(a.seats.get(1), new Master("hostA", 3), master -> masters.add("a: " + master));
        runAll();

        assertThat(masters).containsExactly("a: Master[host=hostA, port=3]");
        assertThat(store.keys("agents/job/"))
                .contains("agents/job/" + Keys.master(1))
                .doesNotContain("agents/job/" + Keys.master(0));
    }

    @Test
    void agentThatHasNotArrivedHasNoPartInTheJob() throws Exception {
        node("a");
        node("b");
        TestNode odd = new TestNode("odd", 2, 2, 8, Duration.ofMinutes(1)); // is refused
        List<String> before = store.keys("");

        odd.node.publishRanks("[]");
        odd.node.report(JobEvent.Kind.RESTART, "restart 1");
        odd.node.tick();
        odd.node.leave(false, Stay.UNTIL_LAST);
        runAll();

        assertThat(odd.node.untilTick()).isEmpty();
        assertThat(odd.node.isLowest()).isFalse();
        assertThatThrownBy(() -> odd.node.awaitSeat(1)).hasMessage("this agent has not arrived");
        assertThat(store.keys("")).isEqualTo(before);
        assertThat(odd.learned).last().isEqualTo("free");
    }
}
