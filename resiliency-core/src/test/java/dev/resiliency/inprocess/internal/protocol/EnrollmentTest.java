package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.internal.worker.CapturedLog;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rule 8, on each kind of store. */
@Timeout(60)
class EnrollmentTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String HOST = "10.0.0.1";
    private static final int PORT = 29_500;

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final InMemoryStore memory = InMemoryStore.create(LIMIT);
    private final TcpStoreServer server;

    EnrollmentTest() throws InterruptedException {
        server = TcpStoreServer.builder().start();
    }

    private enum Kind {
        IN_MEMORY,
        TCP
    }

    private SessionStore open(Kind kind) throws InterruptedException {
        TcpStore.Builder client = TcpStore.builder().port(server.port()).timeout(LIMIT);
        SessionStore session = switch (kind) {
            case IN_MEMORY -> memory.newSession();
            case TCP -> client.connect();
        };
        toClose.add(session);
        return session;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
        memory.close();
        server.close();
    }

    private static CompletableFuture<Optional<Identity>> enroll(SessionStore session, int rank, int worldSize) {
        return enroll(session, rank, worldSize, true, OptionalInt.empty());
    }

    private static CompletableFuture<Optional<Identity>> enrollEarly(SessionStore session, int rank, int worldSize) {
        return enroll(session, rank, worldSize, false, OptionalInt.empty());
    }

    private static CompletableFuture<Optional<Identity>> enroll(
            SessionStore session, int rank, int worldSize, boolean mayJoin, OptionalInt promise) {
        return new Enrollment(session, rank, worldSize, "", 0, LIMIT, mayJoin, promise).enroll();
    }

    private static Identity identity(SessionStore session, int rank, int worldSize) throws Exception {
        return enroll(session, rank, worldSize).get().orElseThrow();
    }

    private static void announce(SessionStore session, Identity identity) {
        new RestartStore(session, identity, List.of())
                .joiner()
                .announce(() -> {}, () -> {}, true)
                .join();
    }

    private static void assertRefused(CompletableFuture<?> claim, String why) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(claim::get)
                .havingCause()
                .isInstanceOf(RankFencedException.class)
                .withMessageContaining(why);
    }

    private static Map<String, Object> contents(SessionStore store) throws InterruptedException {
        Map<String, Object> contents = new TreeMap<>();
        for (String key : store.keys("")) {
            contents.put(key, contentOf(store, key));
        }
        return contents;
    }

    private static Object contentOf(SessionStore store, String key) throws InterruptedException {
        try {
            return store.members(key);
        } catch (StoreRequestException noSet) {
            return store.get(key);
        }
    }

    @ParameterizedTest
    @EnumSource
    void allFoundersConfirmTheRunOfTheFirst(Kind kind) throws Exception {
        Identity first = identity(open(kind), 1, 3);

        assertThat(first).isEqualTo(new Identity(1, 3, Generation.FIRST, first.run()));
        assertThat(first.run()).matches("[0-9a-f]{16}");
        assertThat(identity(open(kind), 0, 3)).isEqualTo(new Identity(0, 3, Generation.FIRST, first.run()));
        assertThat(enrollEarly(open(kind), 2, 3).get())
                .as("also where none may join")
                .contains(new Identity(2, 3, Generation.FIRST, first.run()));
        assertThat(new RestartStore(open(kind), first, List.of()).holdsRun().get())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void rankOfAnotherWorldIsRefusedAndWritesNothing(Kind kind) throws Exception {
        SessionStore store = open(kind);
        String run = identity(store, 0, 2).run();
        Map<String, Object> before = contents(store);

        assertRefused(
                enroll(open(kind), 2, 3),
                "(run " + run + ") does not admit it: it has 2 ranks, but WORLD_SIZE is 3 here; set the same");
        assertRefused(enroll(open(kind), 1, 3), "it has 2 ranks");
        assertRefused(enroll(open(kind), 0, 3), "it has 2 ranks");
        assertRefused(enrollEarly(open(kind), 1, 3), "it has 2 ranks");

        assertThat(contents(store)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void rankOfAnotherVersionIsRefusedAndWritesNothing(Kind kind) throws Exception {
        SessionStore store = open(kind);
        store.set("generation", Value.of("0 0 0"));
        store.set("0/run", Value.of("00c0ffee"));
        store.set("0/job", Value.of("7 2"));
        Map<String, Object> before = contents(store);

        assertRefused(
                enroll(store, 1, 2),
                "it uses version 7 of the restart protocol, but this process version 4; run the same");

        assertThat(contents(store)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void secondProcessOfARankIsRefusedAndWritesNothingWhereNoneMayJoin(Kind kind) throws Exception {
        SessionStore store = open(kind);
        identity(store, 1, 2);
        Map<String, Object> before = contents(store);

        assertRefused(enrollEarly(open(kind), 1, 2), "another process is this rank; was it started twice");

        assertThat(contents(store)).isEqualTo(before);
        assertThat(enrollEarly(store, 1, 2))
                .as("the claim of the same session is no second one")
                .succeedsWithin(LIMIT);
    }

    @Test
    void secondProcessOfARankLearnsThatAnotherOneHasIt() throws Exception {
        try (CapturedLog log = new CapturedLog(Enrollment.class)) {
            identity(memory.newSession(), 1, 2);
            assertThat(log.messages()).isEmpty();

            identity(memory.newSession(), 1, 2);

            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "another process, which has not ended as far as the store knows, has RANK 1: this one is rank 2");
        }
    }

    @Test
    void processThatReplacesOneThatIsGoneIsNoSecondOne() throws Exception {
        try (CapturedLog log = new CapturedLog(Enrollment.class)) {
            identity(memory.newSession(), 0, 2);
            InMemoryStore gone = memory.newSession();
            identity(gone, 1, 2);
            gone.abandon();

            assertThat(identity(memory.newSession(), 1, 2).isJoiner()).isTrue();
            assertThat(log.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void secondProcessOfARankIsAJoiner(Kind kind) throws Exception {
        SessionStore store = open(kind);
        Identity founder = identity(store, 1, 2);

        Identity second = identity(open(kind), 1, 2);

        assertThat(second).isEqualTo(new Identity(2, 2, Generation.FIRST, founder.run()));
        assertThat(second.isJoiner()).isTrue();
        assertThat(identity(open(kind), 1, 2).rank()).isEqualTo(3);
        assertThat(identity(open(kind), 0, 2))
                .as("a rank that nobody has claimed is a founder's")
                .isEqualTo(new Identity(0, 2, Generation.FIRST, founder.run()));
        assertThat(store.members("0/terminated").isEmpty()).isTrue();
    }

    private static void leave(SessionStore store, Identity identity) {
        Interruption left = new Interruption(identity.rank(), Interruption.Kind.TERMINATED_BY_RANK, null, "enough");
        new RestartStore(store, identity, List.of())
                .terminations()
                .leave(RestartStore.BEFORE_FIRST, left)
                .join();
    }

    @ParameterizedTest
    @EnumSource
    void rankThatHasLeftIsRefusedAndWritesNothingWhereNoneMayJoin(Kind kind) throws Exception {
        SessionStore store = open(kind);
        leave(store, identity(store, 1, 2));
        assertThat(store.members("0/terminated")).isEqualTo(IndexSet.of(1));
        Map<String, Object> before = contents(store);

        assertRefused(
                enrollEarly(open(kind), 1, 2),
                "has left it or was declared dead, and processes that come late may not join");

        assertThat(contents(store)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void rankThatHasLeftComesBackAsAJoiner(Kind kind) throws Exception {
        SessionStore store = open(kind);
        Identity left = identity(store, 1, 2);
        leave(store, left);

        assertThat(identity(open(kind), 1, 2)).isEqualTo(new Identity(2, 2, Generation.FIRST, left.run()));
    }

    @ParameterizedTest
    @EnumSource
    void founderThatWasDeclaredDeadBeforeItCameIsAJoiner(Kind kind) throws Exception {
        SessionStore store = open(kind);
        identity(store, 0, 2);
        store.addToSet("0/terminated", IndexSet.of(1));

        assertThat(identity(open(kind), 1, 2).rank()).isEqualTo(2);
        assertThat(identity(open(kind), 1, 2).rank())
                .as("a number is never used twice")
                .isEqualTo(3);
    }

    @Test
    void processThatIsRefusedHasNoLastWill() throws Exception {
        identity(memory, 0, 2);
        InMemoryStore founder = memory.newSession();
        identity(founder, 1, 2);
        InMemoryStore stray = memory.newSession();
        assertRefused(enrollEarly(stray, 1, 2), "another process is this rank");

        stray.abandon();

        assertThat(memory.members("0/terminated").isEmpty()).isTrue();
        founder.abandon();
        assertThat(memory.members("0/terminated")).isEqualTo(IndexSet.of(1));
    }

    @Test
    void joinerDoesNotEndTheRankThatItsLauncherGaveIt() throws Exception {
        identity(memory, 0, 2);
        identity(memory.newSession(), 1, 2);
        InMemoryStore joiner = memory.newSession();
        announce(joiner, identity(joiner, 1, 2));

        joiner.abandon();

        assertThat(memory.members("0/terminated")).isEqualTo(IndexSet.of(2));
    }

    @ParameterizedTest
    @EnumSource
    void jobWhoseFoundersHaveAllGoneBeforeTheFirstIterationIsFoundedAgain(Kind kind) throws Exception {
        SessionStore store = open(kind);
        Identity zero = identity(store, 0, 2);
        leave(store, zero);
        leave(store, new Identity(1, 2, Generation.FIRST, zero.run()));

        Identity founder = identity(open(kind), 1, 2);

        assertThat(founder.generation()).isEqualTo(new Generation(1, 0, 0));
        assertThat(founder.rank()).isEqualTo(1);
        assertThat(founder.run()).isNotEqualTo(zero.run());
        assertThat(identity(open(kind), 0, 2)).isEqualTo(new Identity(0, 2, new Generation(1, 0, 0), founder.run()));
        assertThat(store.get("generation").text()).isEqualTo("1 0 0");
        assertThat(store.members("1/terminated").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void jobWhoseMembersHaveAllGoneIsFoundedAgain(Kind kind) throws Exception {
        SessionStore store = open(kind);
        identity(store, 0, 2);
        store.set("0/latest", Latest.write(4, IndexSet.of(1, 5)));
        store.addToSet("0/terminated", IndexSet.of(0, 1));
        assertThat(identity(open(kind), 1, 2).rank()).as("5 lives").isEqualTo(2);
        store.addToSet("0/terminated", IndexSet.of(5));

        Identity founder = identity(open(kind), 1, 2);

        assertThat(founder).isEqualTo(new Identity(1, 2, new Generation(1, 100, 5), founder.run()));
        assertThat(identity(open(kind), 1, 2))
                .as("the second process of this rank in the next generation")
                .isEqualTo(new Identity(2, 2, new Generation(1, 100, 5), founder.run()));
    }

    @ParameterizedTest
    @EnumSource
    void keysOfAGenerationAreDeletedAlsoIfTheNextOneHadNoIteration(Kind kind) throws Exception {
        SessionStore store = open(kind);
        identity(store, 0, 2);
        store.set("0/latest", Latest.write(4, IndexSet.of(0, 1)));
        store.addToSet("0/terminated", IndexSet.of(0, 1));
        assertThat(identity(open(kind), 0, 2).generation().number()).isOne();
        assertThat(store.keys("0/")).as("its first leader would delete them").isNotEmpty();
        store.addToSet("1/terminated", IndexSet.of(0, 1));

        SessionStore last = open(kind);
        assertThat(identity(last, 1, 2).generation()).isEqualTo(new Generation(2, 100, 5));

        assertThat(last.keys("0/")).isEmpty();
        assertThat(last.keys("1/")).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void nextGenerationIsNotFoundedWhereNoneMayJoin(Kind kind) throws Exception {
        SessionStore store = open(kind);
        identity(store, 0, 1);
        store.addToSet("0/terminated", IndexSet.of(0));
        Map<String, Object> before = contents(store);

        assertRefused(enrollEarly(open(kind), 0, 1), "has left it or was declared dead");

        assertThat(contents(store)).isEqualTo(before);
    }

    @Test
    void twoThatComeAtTheSameTimeFoundOneGeneration() throws Exception {
        identity(memory, 0, 2);
        memory.addToSet("0/terminated", IndexSet.of(0, 1));
        List<Identity> other = new ArrayList<>();
        SessionStore session = new ForwardingStore(memory.newSession()) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                if (other.isEmpty() && operations.get(0) instanceof Operation.CompareAndSet) {
                    enroll(memory.newSession(), 0, 2).join().ifPresent(other::add); // which has read the same
                }
                return super.submit(operations, timeout);
            }
        };

        Identity identity = identity(session, 1, 2);

        assertThat(memory.get("generation").text()).isEqualTo("1 0 0");
        assertThat(other).containsExactly(new Identity(0, 2, new Generation(1, 0, 0), identity.run()));
        assertThat(identity.rank()).isEqualTo(1);
        assertThat(identity.generation().number()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void completeJobAdmitsNobodyAndIsNotTouched(Kind kind) throws Exception {
        SessionStore store = open(kind);
        identity(store, 0, 2);
        store.addToSet("finished", IndexSet.of(0));
        Map<String, Object> before = contents(store);

        assertThat(enroll(open(kind), 1, 2).get()).isEmpty();
        assertThat(enroll(open(kind), 0, 2).get()).isEmpty();
        assertThat(enrollEarly(open(kind), 0, 2).get()).isEmpty();

        assertThat(contents(store)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void completeJobWhoseRanksHaveGoneIsNotFoundedAgain(Kind kind) throws Exception {
        SessionStore store = open(kind);
        identity(store, 0, 1);
        store.addToSet("finished", IndexSet.of(0));
        store.addToSet("0/terminated", IndexSet.of(0));

        assertThat(enroll(open(kind), 0, 1).get()).isEmpty();

        assertThat(store.get("generation").text()).isEqualTo("0 0 0");
    }

    private Identity withPromise(int number) throws Exception {
        return enroll(memory.newSession(), 1, 2, true, OptionalInt.of(number))
                .get()
                .orElseThrow();
    }

    @Test
    void numberThatAnAgentHasPromisedIsUsed() throws Exception {
        identity(memory, 1, 2);
        int promised =
                new Promises(memory.newSession(), Generation.FIRST, 2).make().get();

        assertThat(withPromise(promised).rank()).isEqualTo(promised);
        assertThat(identity(memory.newSession(), 1, 2).rank())
                .as("one without a promise")
                .isEqualTo(promised + 1);
    }

    @Test
    void promiseIsKeptOnce() throws Exception {
        identity(memory, 1, 2);
        int promised =
                new Promises(memory.newSession(), Generation.FIRST, 2).make().get();
        InMemoryStore session = memory.newSession();
        announce(session, withPromise(promised));

        assertThat(withPromise(promised).rank()).isEqualTo(promised + 1);
    }

    @Test
    void numberThatNobodyHasPromisedIsNotUsed() throws Exception {
        identity(memory, 1, 2);

        assertThat(withPromise(9).rank()).isEqualTo(2);
        assertThat(withPromise(0).rank()).as("that of a founder").isEqualTo(3);
    }

    @Test
    void promiseOfAnEarlierGenerationIsNotUsed() throws Exception {
        identity(memory, 0, 2);
        int promised =
                new Promises(memory.newSession(), Generation.FIRST, 2).make().get();
        memory.addToSet("0/terminated", IndexSet.of(0, 1));

        assertThat(withPromise(promised).rank()).as("a founder").isEqualTo(1);
        assertThat(withPromise(promised + 1).rank()).as("a joiner").isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void generationThatNoRankHasWrittenFailsClearly(Kind kind) throws Exception {
        SessionStore store = open(kind);
        store.set("generation", Value.of("the last one"));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(enroll(open(kind), 0, 2)::get)
                .havingCause()
                .isInstanceOf(RuntimeException.class)
                .withMessage("the generation of the job is unreadable; does something else write to its store?");

        assertThat(store.keys("")).containsExactly("generation");
    }

    @Test
    void rankZeroClaimsFirstWhereItHostsTheStore() throws Exception {
        CompletableFuture<Optional<Identity>> stranger = enrollAtHost(memory.newSession(), 2, 3, LIMIT);
        CompletableFuture<Optional<Identity>> member = enrollAtHost(memory.newSession(), 1, 2, LIMIT);
        assertThat(stranger).isNotDone();
        assertThat(memory.keys("")).isEmpty();

        String run = enrollAtHost(memory.newSession(), 0, 2, LIMIT)
                .get()
                .orElseThrow()
                .run();

        assertThat(member).isCompletedWithValue(Optional.of(new Identity(1, 2, Generation.FIRST, run)));
        assertRefused(stranger, "the job at 10.0.0.1:29500 (run " + run + ")");
    }

    @Test
    void rankZeroThatHostsTheStoreButDoesNotJoinIsNamed() {
        CompletableFuture<?> member = enrollAtHost(memory.newSession(), 1, 2, Duration.ofMillis(1));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(member::get)
                .havingCause()
                .isInstanceOf(StoreTimeoutException.class)
                .withMessage("rank 0, which hosts the store, has not joined the job within 0.0 s");
    }

    private static CompletableFuture<Optional<Identity>> enrollAtHost(
            SessionStore session, int rank, int worldSize, Duration limit) {
        SessionStore hosted = new ForwardingStore(session) {
            @Override
            public StoreAddress address() {
                return new StoreAddress(HOST, PORT, "call-0");
            }
        };
        return new Enrollment(hosted, rank, worldSize, HOST, PORT, limit, true, OptionalInt.empty()).enroll();
    }

    @ParameterizedTest
    @EnumSource
    void storeThatWasStartedAnewDoesNotHoldTheRun(Kind kind) throws Exception {
        SessionStore store = open(kind);
        RestartStore view = new RestartStore(store, new Identity(1, 2, Generation.FIRST, "00c0ffee"), List.of());

        assertThat(view.holdsRun().get()).isFalse();
        assertThat(store.keys("")).as("asking founds no run").isEmpty();
        identity(store, 0, 2);
        assertThat(view.holdsRun().get()).isFalse();
    }

    @Test
    void generationWhoseKeysAreDeletedWasThereAndLaterOnesAreNot() throws Exception {
        Identity first = identity(memory, 0, 1);
        memory.addToSet("0/terminated", IndexSet.of(0));
        Identity second = identity(memory.newSession(), 0, 1);
        memory.execute(new Operation.DeleteAll("0/"), LIMIT); // as its first decision does

        Identity third = new Identity(0, 1, second.generation().next(100), first.run());

        assertThat(new RestartStore(memory, first, List.of()).holdsRun()).isCompletedWithValue(true);
        assertThat(new RestartStore(memory, second, List.of()).holdsRun()).isCompletedWithValue(true);
        assertThat(new RestartStore(memory, third, List.of()).holdsRun()).isCompletedWithValue(false);
    }
}
