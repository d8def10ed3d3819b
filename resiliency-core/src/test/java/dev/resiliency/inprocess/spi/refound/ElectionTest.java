package dev.resiliency.inprocess.spi.refound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.spy;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.FoundedStore;
import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.refound.RanksJob;
import dev.resiliency.inprocess.internal.refound.RanksJob.Told;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.Election.SeatGoneException;
import dev.resiliency.inprocess.spi.refound.Election.Voting;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Elections among threads, each with the vote of a rank; the server of each successor is a store in memory. */
@SuppressWarnings("FutureReturnValueIgnored") // of a vote that only lets others found the store
class ElectionTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String PREFIX = "jobs/test";
    private static final KnownWorld BASE =
            new KnownWorld(Term.FIRST, 3, IndexSet.range(0, 4), "0:0/-1: 1:1/-1: 2:2/-1: 3:3/-1:\n");

    private final Map<Integer, InMemoryStore> servers = new ConcurrentHashMap<>();
    private final List<Vote> remembered = new CopyOnWriteArrayList<>();
    /** Whether the end of a session drops what is not answered yet, as a connection may. */
    private volatile boolean dropsUnanswered;

    private final ExecutorService ranks = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        ranks.shutdownNow();
        servers.values().forEach(InMemoryStore::close);
    }

    private static StoreSeat seat(int rank) {
        return new StoreSeat(rank, "host", 4_000 + rank);
    }

    private void listen(int... listening) {
        for (int rank : listening) {
            servers.put(rank, InMemoryStore.create());
        }
    }

    private SessionStore connect(StoreSeat seat) {
        InMemoryStore server = servers.get(seat.rank());
        if (server == null) {
            throw new SeatGoneException(seat, null);
        }
        SessionStore session = server.newSession();
        if (dropsUnanswered) {
            session = spy(session);
            doNothing().when(session).send(any());
        }
        return session;
    }

    private static Interruption death(int rank) {
        return new Interruption(rank, Interruption.Kind.TERMINATED, Instant.EPOCH, "it has died");
    }

    private CompletableFuture<Founded> vote(int rank, boolean isDead, Vote vote, Duration limit) {
        RanksJob job = new RanksJob(identity(rank), PREFIX, isDead ? death(rank) : null);
        return hold(new Voting(job, isDead ? null : seat(rank), PATIENCE, limit), vote, seat(1), seat(2), seat(3));
    }

    /** Returns how rank 1 votes, which can host the store. */
    private static Voting candidate(Duration patience, Duration limit) {
        return new Voting(new RanksJob(identity(1), PREFIX, null), seat(1), patience, limit);
    }

    private static Identity identity(int rank) {
        return new Identity(rank, 4, Generation.FIRST, "00c0ffee");
    }

    private CompletableFuture<Founded> hold(Voting voting, Vote vote, StoreSeat... successors) {
        CompletableFuture<Founded> result = new CompletableFuture<>();
        ranks.execute(() -> {
            try {
                result.complete(Election.hold(voting, this::connect, vote, List.of(successors), remembered::add));
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    @Test
    void firstSuccessorFoundsTheStoreOnceMoreThanHalfHaveCome() throws Exception {
        listen(1, 2, 3);
        CompletableFuture<Founded> one = vote(1, false, Vote.first(BASE), LONG);
        CompletableFuture<Founded> two = vote(2, false, Vote.first(BASE), LONG);
        Thread.sleep(SHORT.toMillis());
        assertThat(one).isNotDone();
        assertThat(two).isNotDone();

        CompletableFuture<Founded> dead = vote(0, true, Vote.first(BASE), LONG);

        assertThat(one.get().term()).isEqualTo(new Term(1, 1));
        assertThat(two.get().seat()).isEqualTo(seat(1));
        assertThat(two.get().base()).isEqualTo(BASE.withText(""));
        assertThat(dead.get().isComplete()).isFalse();
        assertThat(recordsIn(one.get().session())).contains("the store that it hosted is lost", "it has died");
        assertThat(one.get().missing(new RanksJob(identity(1), PREFIX, null))).isEqualTo(IndexSet.of(0, 3));
        assertThat(remembered).allMatch(vote -> vote.term().equals(new Term(1, 1)));
    }

    @Test
    void whoStandsAgainStillKnowsWhoHostedTheStoreThatIsLost() throws Exception {
        listen(1);
        CompletableFuture<Founded> one = hold(candidate(SHORT, LONG), Vote.first(BASE), seat(1));
        await().until(() -> remembered.contains(Vote.first(BASE).enrol(new Term(2, 1))));

        vote(2, false, Vote.first(BASE), LONG);
        vote(3, false, Vote.first(BASE), LONG);

        assertThat(one.get().term().number()).isGreaterThan(1);
        assertThat(recordsIn(one.get().session())).contains("0 TERMINATED", "the store that it hosted is lost");
    }

    /** Otherwise whoever comes to its server would wait for it until the end of the election. */
    @Test
    void nobodyFindsAVoterStandingThatHasTurnedToTheNextSuccessor() throws Exception {
        listen(2);
        InMemoryStore own = InMemoryStore.create();
        servers.put(1, own);
        dropsUnanswered = true;
        hold(candidate(SHORT, LONG), Vote.first(BASE), seat(1), seat(2));
        await().until(() -> own.check(List.of(key("stands"))));

        await().pollInterval(SHORT.dividedBy(10)).until(() -> !own.check(List.of(key("stands"))));
    }

    @Test
    void whatTheLostStoreHasStillToldOfTheBaseIsRecordedInTheNext() throws Exception {
        assertThat(recordsAfter(new Told(3, "0 HARD_TIMEOUT - - it hangs\n")))
                .startsWith("0 HARD_TIMEOUT - - it hangs\n")
                .contains("the store that it hosted is lost");
        assertThat(recordsAfter(new Told(4, "0 HARD_TIMEOUT - - it hangs\n"))).doesNotContain("it hangs");
    }

    /** Founds a store, whose founder knows this of the one before; returns the records in it. */
    private String recordsAfter(Told told) throws Exception {
        listen(1);
        RanksJob job = new RanksJob(identity(1), PREFIX, null, told);
        KnownWorld alone = new KnownWorld(Term.FIRST, 3, IndexSet.of(1), "1:1/-1:\n");
        Founded founded = hold(new Voting(job, seat(1), PATIENCE, LONG), Vote.first(alone), seat(1))
                .get();
        return recordsIn(founded.session());
    }

    private static String recordsIn(SessionStore store) throws InterruptedException {
        String records = store.keys("").stream()
                .filter(key -> key.endsWith("records"))
                .findFirst()
                .orElseThrow();
        return store.get(records).text();
    }

    @Test
    void deathOfAVoterThatHasFollowedIsRecorded() throws Exception {
        listen(1, 2, 3);
        CompletableFuture<Founded> one = vote(1, false, Vote.first(BASE), LONG);
        CompletableFuture<Founded> two = vote(2, false, Vote.first(BASE), LONG);
        vote(0, true, Vote.first(BASE), LONG).get();
        assertThat(two.get().isMember()).isTrue();

        two.get().session().abandon();
        two.get().session().close();

        assertThat(recordsIn(one.get().session()))
                .contains("the store that it hosted is lost", "2 TERMINATED", "its session ended without a goodbye");
    }

    @Test
    void nextSuccessorTakesThePlaceOfOneThatIsGone() throws Exception {
        listen(2, 3);
        CompletableFuture<Founded> two = vote(2, false, Vote.first(BASE), LONG);
        CompletableFuture<Founded> three = vote(3, false, Vote.first(BASE).complete(), LONG);
        vote(1, true, Vote.first(BASE), LONG);

        assertThat(two.get().term()).isEqualTo(new Term(2, 2));
        assertThat(three.get().isComplete()).isTrue();
    }

    @Test
    void whoComesLateFindsTheStoreFounded() throws Exception {
        listen(1, 2, 3);
        vote(1, false, Vote.first(BASE), LONG);
        vote(2, false, Vote.first(BASE), LONG);
        vote(0, true, Vote.first(BASE), LONG).get();

        assertThat(vote(3, false, Vote.first(BASE), LONG).get().seat()).isEqualTo(seat(1));
    }

    @Test
    void voteForALaterStoreIsNotTakenBack() throws Exception {
        listen(1, 2, 3);
        Vote given = Vote.first(BASE).enrol(new Term(5, 3));
        vote(1, false, Vote.first(BASE), SHORT);

        CompletableFuture<Founded> two = vote(2, false, given, LONG.dividedBy(10));

        assertThatThrownBy(two::get).isInstanceOf(ExecutionException.class);
        assertThat(remembered).contains(given.enrol(new Term(7, 2)));
    }

    private static String key(String name) {
        return PREFIX + "/" + FoundedStore.prefix(new Identity(9, 4, Generation.FIRST, "00c0ffee")) + name;
    }

    @Test
    void whatAStrangerWritesIsNoVoteAndStopsNobody() throws Exception {
        listen(1, 2, 3);
        try (SessionStore stranger = connect(seat(1))) {
            stranger.set(key("1.1/votes/9"), Value.of("garbage"));
            stranger.set(key("1.1/votes/none"), Value.of(Vote.first(BASE).write()));
        }
        CompletableFuture<Founded> one = vote(1, false, Vote.first(BASE), LONG);
        vote(2, false, Vote.first(BASE), LONG);
        vote(0, true, Vote.first(BASE), LONG);

        assertThat(one.get().term()).isEqualTo(new Term(1, 1));
    }

    @Test
    void successorThatAnswersWhatNoneDoesIsPassedBy() throws Exception {
        listen(1, 2, 3);
        try (SessionStore stranger = connect(seat(1))) {
            stranger.set(key("stands"), Value.of("garbage"));
        }
        CompletableFuture<Founded> two = vote(2, false, Vote.first(BASE), LONG);
        vote(3, false, Vote.first(BASE), LONG);
        vote(0, true, Vote.first(BASE), LONG);

        assertThat(two.get().term()).isEqualTo(new Term(2, 2));
    }

    @Test
    void tooFewVotesEndInAnErrorThatNamesThem() {
        listen(1, 2, 3);
        vote(2, false, Vote.first(BASE), LONG);

        assertThatThrownBy(vote(1, false, Vote.first(BASE), SHORT.multipliedBy(3))::get)
                .hasCauseInstanceOf(StoreLostException.class)
                .hasMessageContaining("{1, 2} have come, and {0, 3} are missed or in doubt");
    }

    @Test
    void errorNamesTheVotesAlsoIfAnotherSuccessorWasAskedSince() {
        listen(1, 2);
        Voting voting = candidate(SHORT, SHORT.multipliedBy(3).dividedBy(2));

        assertThatThrownBy(hold(voting, Vote.first(BASE), seat(1), seat(2))::get)
                .hasCauseInstanceOf(StoreLostException.class)
                .hasMessageContaining("{1} have come")
                .hasMessageEndingWith("more than half are needed");
    }

    @Test
    void errorSaysThatNobodyKnowsTheDecision() {
        listen(1);
        KnownWorld unknown = new KnownWorld(Term.FIRST, 3, IndexSet.of(1), "");

        assertThatThrownBy(hold(candidate(PATIENCE, SHORT), Vote.first(unknown), seat(1))::get)
                .hasCauseInstanceOf(StoreLostException.class)
                .hasMessageContaining("of the voters of iteration 3, {1} have come")
                .hasMessageEndingWith("none of them knows what was decided for it");
    }

    @Test
    void endsAtOnceIfNoSuccessorIsLeft() {
        assertThatThrownBy(vote(0, true, Vote.first(BASE), LONG)::get)
                .hasCauseInstanceOf(StoreLostException.class)
                .hasMessageContaining("successor 3 does not listen at host:4003 any more");
    }
}
