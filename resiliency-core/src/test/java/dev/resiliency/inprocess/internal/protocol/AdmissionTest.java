package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rule 8, on each kind of store. */
@Timeout(60)
class AdmissionTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String HOST = "10.0.0.1";
    private static final int PORT = 29_500;

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final InMemoryStore memory = InMemoryStore.create(LIMIT);
    private final TcpStoreServer server;

    AdmissionTest() throws InterruptedException {
        server = TcpStoreServer.builder().pytorch(true).start();
    }

    private enum Kind {
        IN_MEMORY,
        TCP,
        PYTORCH
    }

    private SessionStore open(Kind kind) throws InterruptedException {
        TcpStore.Builder client = TcpStore.builder().port(server.port()).timeout(LIMIT);
        SessionStore session = switch (kind) {
            case IN_MEMORY -> memory.newSession();
            case TCP -> client.connect();
            case PYTORCH -> client.connectToPyTorch();
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

    private static CompletableFuture<String> claim(SessionStore session, int rank, int worldSize) {
        return new RestartStore(session, rank, worldSize).admission().claim("", 0, LIMIT);
    }

    private static void assertRefused(CompletableFuture<String> claim, String why) {
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
    void allRanksConfirmTheRunOfTheFirst(Kind kind) throws Exception {
        String run = claim(open(kind), 1, 3).get();

        assertThat(run).matches("[0-9a-f]{16}");
        assertThat(claim(open(kind), 0, 3).get()).isEqualTo(run);
        assertThat(claim(open(kind), 2, 3).get()).isEqualTo(run);
        assertThat(new RestartStore(open(kind), 1, 3).admission().holds(run).get())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void rankOfAnotherWorldIsRefusedAndWritesNothing(Kind kind) throws Exception {
        SessionStore store = open(kind);
        String run = claim(store, 0, 2).get();
        Map<String, Object> before = contents(store);

        assertRefused(
                claim(open(kind), 2, 3),
                "(run " + run + ") does not admit it: it has 2 ranks, but WORLD_SIZE is 3 here; set the same");
        assertRefused(claim(open(kind), 1, 3), "it has 2 ranks");

        assertThat(contents(store)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void rankOfAnotherVersionIsRefusedAndWritesNothing(Kind kind) throws Exception {
        SessionStore store = open(kind);
        store.set(JobKeys.RUN, Value.of("00c0ffee"));
        store.set(JobKeys.JOB, Value.of("7 2"));
        Map<String, Object> before = contents(store);

        assertRefused(
                claim(store, 1, 2),
                "it uses version 7 of the restart protocol, but this process version 2; run the same");

        assertThat(contents(store)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void secondClaimantOfARankIsRefusedAndWritesNothing(Kind kind) throws Exception {
        SessionStore store = open(kind);
        claim(store, 1, 2).get();
        Map<String, Object> before = contents(store);

        assertRefused(claim(open(kind), 1, 2), "another process is this rank; was it started twice");

        assertThat(contents(store)).isEqualTo(before);
        assertThat(claim(store, 1, 2))
                .as("the claim of the same session is no second one")
                .succeedsWithin(LIMIT);
    }

    @ParameterizedTest
    @EnumSource
    void rankThatHasLeftIsRefusedAndWritesNothing(Kind kind) throws Exception {
        SessionStore store = open(kind);
        claim(store, 1, 2).get();
        Interruption left = new Interruption(1, Interruption.Kind.TERMINATED_BY_RANK, null, "enough");
        new RestartStore(store, 1, 2)
                .terminations()
                .leave(RestartStore.BEFORE_FIRST, left)
                .join();
        assertThat(store.members("terminated")).isEqualTo(IndexSet.of(1));
        Map<String, Object> before = contents(store);

        assertRefused(claim(open(kind), 1, 2), "has left it or was declared dead, and cannot come back");

        assertThat(contents(store)).isEqualTo(before);
    }

    @Test
    void rankThatIsRefusedHasNoLastWill() throws Exception {
        claim(memory, 0, 2).get();
        InMemoryStore claimant = memory.newSession();
        claim(claimant, 1, 2).get();
        InMemoryStore stray = memory.newSession();
        assertRefused(claim(stray, 1, 2), "another process is this rank");

        stray.abandon();

        assertThat(memory.members("terminated").isEmpty()).isTrue();
        claimant.abandon();
        assertThat(memory.members("terminated")).isEqualTo(IndexSet.of(1));
    }

    @Test
    void rankZeroClaimsFirstWhereItHostsTheStore() throws Exception {
        CompletableFuture<String> stranger = claimAtHost(memory.newSession(), 2, 3, LIMIT);
        CompletableFuture<String> member = claimAtHost(memory.newSession(), 1, 2, LIMIT);
        assertThat(stranger).isNotDone();
        assertThat(memory.keys("")).isEmpty();

        String run = claimAtHost(memory.newSession(), 0, 2, LIMIT).get();

        assertThat(member).isCompletedWithValue(run);
        assertRefused(stranger, "the job at 10.0.0.1:29500 (run " + run + ")");
    }

    @Test
    void rankZeroThatHostsTheStoreButDoesNotJoinIsNamed() {
        CompletableFuture<String> member = claimAtHost(memory.newSession(), 1, 2, Duration.ofMillis(1));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(member::get)
                .havingCause()
                .isInstanceOf(StoreTimeoutException.class)
                .withMessage("rank 0, which hosts the store, has not joined the job within 0.0 s");
    }

    private static CompletableFuture<String> claimAtHost(
            SessionStore session, int rank, int worldSize, Duration limit) {
        SessionStore hosted = new ForwardingStore(session) {
            @Override
            public StoreAddress address() {
                return new StoreAddress(HOST, PORT, "call-0");
            }
        };
        return new RestartStore(hosted, rank, worldSize).admission().claim(HOST, PORT, limit);
    }

    @ParameterizedTest
    @EnumSource
    void storeThatWasStartedAnewDoesNotHoldTheRun(Kind kind) throws Exception {
        SessionStore store = open(kind);

        assertThat(new RestartStore(store, 1, 2).admission().holds("00c0ffee").get())
                .isFalse();
        assertThat(store.keys("")).as("asking founds no run").isEmpty();
        claim(store, 0, 2).get();
        assertThat(new RestartStore(store, 1, 2).admission().holds("00c0ffee").get())
                .isFalse();
    }
}
