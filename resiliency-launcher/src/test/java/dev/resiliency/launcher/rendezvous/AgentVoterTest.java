package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.Election.SeatGoneException;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Agents that vote: stepped by the test at a store in memory, but for their elections, which have threads. */
class AgentVoterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final InMemoryStore store = InMemoryStore.create(Duration.ofMinutes(5));
    /** Those of the agents that can host the store, by their ports. */
    private final Map<Integer, InMemoryStore> servers = new ConcurrentHashMap<>();

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private String policy = "soft";
    private int least = 3;

    @AfterEach
    void close() {
        store.close();
        servers.values().forEach(InMemoryStore::close);
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** A store as it is when an agent hosts it. */
    private static final class HostedStore extends ForwardingStore {
        private final StoreAddress address;

        HostedStore(SessionStore store, String host, int port) {
            super(store);
            address = new StoreAddress(host, port, "");
        }

        @Override
        public StoreAddress address() {
            return address;
        }
    }

    private final class TestAgent extends RecordedListener {
        final String name;
        final AgentVoter voter;
        int iteration = 7;
        SessionStore session = new HostedStore(store.newSession(), "host-a", 1);
        NodeSession node;

        TestAgent(String name, int port, Duration patience) {
            this(name, new AgentVoter("job", new StoreAddress("host-" + name, port, ""), patience));
            servers.computeIfAbsent(port, number -> InMemoryStore.create());
        }

        TestAgent(String name, AgentVoter voter) {
            this.name = name;
            this.voter = voter;
            node = come();
        }

        private NodeSession come() {
            Terms terms = new Terms(least, 2, policy, 0, true);
            NodeSettings settings = new NodeSettings(
                    "job",
                    terms,
                    least,
                    name,
                    "host-" + name,
                    Node.NO_RANK,
                    "",
                    Duration.ofMinutes(1),
                    Duration.ZERO,
                    Duration.ofHours(1),
                    false);
            NodeSession coming = new NodeSession(session, settings, tasks::add, this, voter);
            coming.arrive();
            runAll();
            return coming;
        }

        CompletableFuture<Founded> loseStore() {
            assertThat(voter.loseStore(AgentVoterTest.this::connect, iteration)).isTrue();
            return Objects.requireNonNull(voter.election());
        }

        void goOn(Founded founded) {
            voter.move(founded);
            session = founded.session();
            node = come();
        }

        @Override
        public void seated(Seat seat) {
            learned.add("seat %d of %d in cycle %d".formatted(seat.group(), seat.nodes(), seat.cycle()));
        }

        @Override
        public void cycleCalled(int cycle, String reason) {
            learned.add("cycle %d".formatted(cycle));
            node.awaitSeat(cycle);
        }
    }

    private SessionStore connect(StoreSeat seat) {
        InMemoryStore server = servers.get(seat.port());
        if (server == null) {
            throw new SeatGoneException(seat, null);
        }
        return new HostedStore(server.newSession(), seat.host(), seat.port());
    }

    private TestAgent agent(String name, int port) {
        return new TestAgent(name, port, PATIENCE);
    }

    private static AgentWorld world(SessionStore session) throws InterruptedException {
        return AgentWorld.read(
                NodeSession.storeOf(session, "job").get(Keys.WORLD).text());
    }

    /** It stood still while the others lost a store, decided a world on the next one, and lost that, too. */
    @Test
    void agentThatHasMissedTheWorldOfAStoreGoesOnThere() throws Exception {
        agent("a", 1);
        TestAgent b = agent("b", 2);
        TestAgent c = agent("c", 3);
        KnownWorld missed = new KnownWorld(new Term(1, 0), 1, IndexSet.of(0, 1), "");

        c.voter.move(new Founded(b.session, new StoreSeat(1, "host-b", 2), new Term(2, 1), missed, false, true));

        assertThat(c.voter.knows(new AgentWorld(1, new Term(1, 0), IndexSet.empty(), IndexSet.of(0, 1), List.of())))
                .isTrue();
        assertThat(c.voter.loseStore(this::connect, -1)).isTrue();
    }

    @Test
    void firstVotersAreTheNodesWithWhichTheJobBegins() throws Exception {
        agent("a", 1);
        agent("b", 2);
        assertThat(store.keys("agents/job/world")).isEmpty();

        TestAgent c = agent("c", 3);

        assertThat(c.learned).containsExactly("seat 2 of 3 in cycle 0");
        assertThat(world(store))
                .isEqualTo(new AgentWorld(
                        0,
                        new Term(0, 0),
                        IndexSet.empty(),
                        IndexSet.range(0, 3),
                        List.of(new StoreSeat(1, "host-b", 2), new StoreSeat(2, "host-c", 3))));
    }

    @Test
    void votersChangeAsNodesComeAndGoOnceHalfOfThoseBeforeHaveAccepted() throws Exception {
        TestAgent a = agent("a", 1);
        agent("b", 2);
        TestAgent c = agent("c", 3);

        c.session.abandon();
        runAll();
        AgentWorld without = world(store);
        assertThat(without.members()).isEqualTo(IndexSet.of(0, 1));
        assertThat(without.before()).isEqualTo(IndexSet.range(0, 3));
        assertThat(a.learned).last().isEqualTo("gone: node c (host-c) is lost");

        agent("d", 4);
        assertThat(world(store).members()).isEqualTo(IndexSet.of(0, 1, 3));
        assertThat(world(store).number()).isEqualTo(2);
    }

    @Test
    void manyNodesThatComeAtOnceNeedOneDecision() throws Exception {
        least = 300;
        for (int i = 0; i < least; i++) {
            agent("node" + i, i % 8 + 1);
        }

        assertThat(world(store).number()).isZero();
        assertThat(world(store).members()).isEqualTo(IndexSet.range(0, least));
        assertThat(world(store).successors()).hasSize(4);
    }

    @Test
    void nodeThatLeavesNeedNotAccept() throws Exception {
        agent("a", 1);
        TestAgent b = agent("b", 2);
        TestAgent c = agent("c", 3);
        b.node.leave(false, Stay.BRIEFLY);
        c.node.leave(false, Stay.BRIEFLY);
        runAll();

        assertThat(world(store).members()).isEqualTo(IndexSet.of(0));
        TestAgent d = agent("d", 4);
        assertThat(d.learned).as("what is decided is agreed").containsExactly("seat 1 of 3 in cycle 0");
    }

    @Test
    void hostThatIsToLeaveStaysUntilTheOthersCanGoOnWithoutIt() throws Exception {
        least = 2;
        TestAgent a = agent("a", 1);
        TestAgent b = agent("b", 2);
        a.node.leave(false, Stay.UNTIL_REPLACED);
        while (!world(store).members().equals(IndexSet.of(1))) {
            assertThat(a.learned).doesNotContain("free");
            Objects.requireNonNull(tasks.poll()).run();
        }
        runAll();
        assertThat(a.learned).last().isEqualTo("free");

        Objects.requireNonNull(servers.remove(1)).close();
        goOn(List.of(b));
        assertThat(b.learned).last().isEqualTo("seat 1 of 2 in cycle 1");
    }

    @Test
    void hostThatIsToLeaveWaitsForThoseThatAreAboutToLeaveToo() {
        TestAgent a = agent("a", 1);
        TestAgent b = agent("b", 2);
        TestAgent c = agent("c", 3);
        agent("d", 4);
        b.node.announceLeave();
        a.node.leave(false, Stay.UNTIL_REPLACED);
        c.node.announceLeave();
        runAll();

        assertFreeOnceBothHaveLeft(a, b, c);
    }

    private void assertFreeOnceBothHaveLeft(TestAgent host, TestAgent one, TestAgent other) {
        one.node.leave(false, Stay.BRIEFLY);
        runAll();
        assertThat(host.learned).doesNotContain("free");

        other.node.leave(false, Stay.BRIEFLY);
        runAll();
        assertThat(host.learned).last().isEqualTo("free");
    }

    @Test
    void hostThatNoOtherOneCanReplaceStaysUntilTheyHaveLeft() {
        TestAgent a = agent("a", 1);
        TestAgent b = new TestAgent("b", new AgentVoter("job", null, PATIENCE));
        TestAgent c = new TestAgent("c", new AgentVoter("job", null, PATIENCE));
        a.node.leave(false, Stay.UNTIL_REPLACED);

        assertFreeOnceBothHaveLeft(a, b, c);
    }

    @Test
    void nothingIsDecidedAfterMoreThanHalfAreLostAndTheStoreIsGivenUp() {
        TestAgent a = agent("a", 1);
        TestAgent b = agent("b", 2);
        TestAgent c = agent("c", 3);
        TestAgent e = agent("e", 5);
        c.session.abandon();
        b.session.abandon();
        e.session.abandon();
        runAll();

        TestAgent d = agent("d", 4);
        assertThat(d.learned).isEmpty();
        awaitLoss(a, PATIENCE, "too few agents are left to accept what the store has decided");
    }

    private void awaitLoss(TestAgent agent, Duration limit, String why) {
        await().atMost(limit).untilAsserted(() -> {
            runAll();
            assertThat(agent.learned).last().asString().startsWith("lost: " + why);
        });
    }

    @Test
    void storeIsGivenUpAlsoWhenOthersAreSilent() throws Exception {
        TestAgent a = new TestAgent("a", 1, Duration.ofMillis(50));
        agent("b", 2);
        agent("c", 3);
        store.set("agents/job/world", nextOf(IndexSet.of(0, 7, 8)).text());

        awaitLoss(a, PATIENCE, "too few agents have accepted what the store has decided");
    }

    /** Returns a world without the last agent that these are to accept. */
    private AgentWorld nextOf(IndexSet voters) throws InterruptedException {
        AgentWorld before = world(store);
        return new AgentWorld(before.number() + 1, before.term(), voters, IndexSet.of(0, 1), before.successors());
    }

    @Test
    void whoeverHasAcceptedCountsAlsoWhenItIsGone() throws Exception {
        TestAgent a = agent("a", 1);
        agent("b", 2);
        agent("c", 3);
        AgentWorld next = nextOf(IndexSet.of(0, 6, 7, 8, 9));
        accept(next, 6);
        store.addToSet("agents/job/gone", IndexSet.of(6, 7, 8));
        store.set("agents/job/world", next.text());
        runAll();
        assertThat(world(store)).isEqualTo(next);

        accept(next, 9);
        runAll();
        assertThat(world(store).members()).as("decided after that").isEqualTo(IndexSet.of(0, 1, 2));
        assertThat(a.learned).noneMatch(each -> each.startsWith("lost"));
    }

    private void accept(AgentWorld world, int agent) throws InterruptedException {
        Batch batch = store.batch();
        Barrier entered = Barrier.of("agents/job/worlds/" + world.number() + "/entered", world.before())
                .excusing("agents/job/ceded")
                .ofHalf();
        batch.add(new Operation.Arrive(entered, IndexSet.of(agent), false));
        assertThat(batch.submit(PATIENCE)).succeedsWithin(PATIENCE);
    }

    /** Three agents, of which the first is lost with the store. */
    private List<TestAgent> loseFirst() throws Exception {
        agent("a", 1);
        TestAgent b = agent("b", 2);
        TestAgent c = agent("c", 3);
        Objects.requireNonNull(servers.remove(1)).close();
        return List.of(b, c);
    }

    private Founded goOn(List<TestAgent> agents) throws Exception {
        List<CompletableFuture<Founded>> elections =
                agents.stream().map(TestAgent::loseStore).toList();
        Founded founded = elections.get(0).get();
        NodeSession.giveUpMissing("job", founded);
        for (int i = 0; i < agents.size(); i++) {
            agents.get(i).goOn(elections.get(i).get());
        }
        runAll();
        return founded;
    }

    @Test
    void othersFoundTheStoreAnewAndKeepTheirSeats() throws Exception {
        store.set("jobs/job/call-0/generation", "0 0 0"); // as ranks with a Wrapper do
        List<TestAgent> left = loseFirst();

        Founded founded = goOn(left);

        assertThat(founded.term()).isEqualTo(new Term(1, 1));
        assertThat(left.get(0).learned).containsSubsequence("seat 1 of 3 in cycle 0", "seat 1 of 3 in cycle 1");
        assertThat(left.get(1).learned).containsSubsequence("seat 2 of 3 in cycle 0", "seat 2 of 3 in cycle 1");
        AgentWorld now = world(founded.session());
        assertThat(now.members()).isEqualTo(IndexSet.of(1, 2));
        assertThat(now.term()).isEqualTo(new Term(1, 1));
        assertThat(founded.session().get("jobs/job/call-0/generation").text()).isEqualTo("1 100 8");
        assertThat(founded.session().members("jobs/job/call-0/1/terminated")).isEqualTo(IndexSet.of(0, 1));
    }

    @Test
    void iterationsAndRestartsGrowAlsoIfTheFounderHasSeenFewerThanOthers() throws Exception {
        store.set("jobs/job/call-0/generation", "3 200 5");
        List<TestAgent> left = loseFirst();
        left.get(0).iteration = 202;
        left.get(1).iteration = 301;

        Founded founded = goOn(left);

        assertThat(founded.session().get("jobs/job/call-0/generation").text()).isEqualTo("4 400 107");
    }

    @Test
    void iterationsGrowAlsoIfNoneIsKnown() throws Exception {
        store.set("jobs/job/call-0/generation", "3 200 0");
        List<TestAgent> left = loseFirst();
        left.forEach(agent -> agent.iteration = -1);

        Founded founded = goOn(left);

        assertThat(founded.session().get("jobs/job/call-0/generation").text()).startsWith("4 300 ");
    }

    @Test
    void whatAgentsHaveWrittenIsOnTheNextStore() throws Exception {
        List<TestAgent> left = loseFirst();
        List<Integer> granted = new ArrayList<>();
        left.get(1).node.askRestart(new JobBudget(5, null), granted::add);
        left.get(1).node.markUnhealthy("a disk is full");
        left.get(1).node.report(JobEvent.Kind.REPORT, "a report");
        runAll();

        Founded founded = goOn(left);

        JobControl control = new JobControl(founded.session(), "job");
        assertThat(control.status().restarts()).isOne();
        assertThat(control.status().cycle()).isOne();
        assertThat(control.unhealthy()).containsEntry("c", "a disk is full");
        assertThat(control.events()).extracting(JobEvent::text).contains("a report", "node a (host-a) has joined");
        TestAgent d = left.get(0);
        d.node.askRestart(new JobBudget(5, null), granted::add);
        runAll();
        assertThat(granted).containsExactly(1, 2);
    }

    @Test
    void nodesOfAHardJobWaitForEnough() throws Exception {
        policy = "hard";
        List<TestAgent> left = loseFirst();

        goOn(left);

        assertThat(left.get(0).learned).last().isEqualTo("cycle 1");
        assertThat(left.get(1).learned).last().isEqualTo("cycle 1");
    }

    @Test
    void jobThatHasCompletedIsCompleteOnTheNextStore() throws Exception {
        List<TestAgent> left = loseFirst();
        left.get(1).voter.complete();

        assertThat(left.get(0).loseStore()).isNotDone();
        assertThat(left.get(1).loseStore().get().isComplete()).isTrue();
    }

    @Test
    void oneOfThreeCannotGoOnAlone() throws Exception {
        agent("a", 1);
        agent("b", 2);
        TestAgent c = new TestAgent("c", 3, Duration.ofMillis(100));
        Objects.requireNonNull(servers.remove(1)).close();
        Objects.requireNonNull(servers.remove(2)).close();

        assertThatThrownBy(() -> c.loseStore().get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreLostException.class)
                .hasMessageContaining("{2} have come, and {0, 1} are missed or in doubt");
    }

    @Test
    void agentWithoutAVoteCannotGoOn() {
        TestAgent a = agent("a", 1);

        assertThat(a.voter.loseStore(this::connect, -1)).isFalse();
    }
}
