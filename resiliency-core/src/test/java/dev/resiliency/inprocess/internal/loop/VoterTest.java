package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.Succession;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rank 1 of three, whose store is on the host of rank 0, as a voter. */
class VoterTest {
    private static final StoreSeat HOST = new StoreSeat(0, "h0", 4000);
    private static final StoreSeat OWN = new StoreSeat(1, "h1", 4001);
    private static final StoreSeat NEXT = new StoreSeat(2, "h2", 4002);
    private static final IndexSet ALL = IndexSet.range(0, 3);
    private static final IndexSet SURVIVORS = IndexSet.of(1, 2);
    private final StoreLostException loss = new StoreLostException("h0:4000", "lost", null);

    private final InMemoryStore store = InMemoryStore.create();
    private final RecordedSuccession succession = new RecordedSuccession();
    private final Voter voter = voter(succession, false);

    /** Records how it is called. */
    static final class RecordedSuccession implements Succession {
        final CompletableFuture<Moved> moving = new CompletableFuture<>();

        @Nullable
        Vote remembered;

        List<StoreSeat> successors = List.of();
        final List<Vote> given = new ArrayList<>();

        @Nullable
        Moved moved;

        @Override
        public StoreSeat seat() {
            return OWN;
        }

        @Override
        public void remember(Vote vote, List<StoreSeat> next) {
            remembered = vote;
            successors = next;
        }

        @Override
        public CompletableFuture<Moved> begin(Vote vote, List<StoreSeat> next) {
            given.add(vote);
            return moving;
        }

        @Override
        public void move(Moved there) {
            moved = there;
        }

        Vote vote() {
            return Objects.requireNonNull(remembered);
        }
    }

    private static RestartStore view(InMemoryStore of, Generation generation, StoreSeat host) {
        return new RestartStore(of, new Identity(1, 3, generation, ""), List.of(), host);
    }

    private Voter voter(@Nullable Succession succession, boolean follows) {
        return new Voter(
                succession,
                follows,
                new Waker(),
                view(store, Generation.FIRST, HOST).member(),
                0);
    }

    private static KnownWorld world(int iteration, IndexSet members) {
        return new KnownWorld(new Term(0, 0), iteration, members, "");
    }

    @Test
    void worldThatIsAcceptedIsInDoubtUntilItIsAgreed() {
        voter.accept(0, ALL, 1, List.of(NEXT));

        assertThat(succession.vote()).isEqualTo(Vote.first(world(0, ALL)));
        assertThat(succession.successors).containsExactly(NEXT);

        voter.accept(1, SURVIVORS, 0, List.of(OWN));

        assertThat(succession.vote())
                .isEqualTo(new Vote(new Term(0, 0), world(0, ALL), world(1, SURVIVORS), false, false));
        assertThat(succession.successors).as("of both worlds").containsExactly(OWN, NEXT);
        assertThat(voter.positionIn(world(1, ALL))).isZero();
        assertThat(voter.positionIn(world(0, ALL))).isNegative();
        assertThat(voter.positionIn(new KnownWorld(new Term(1, 2), 1, ALL, ""))).isNegative();

        voter.agree();

        assertThat(succession.vote()).isEqualTo(Vote.first(world(1, SURVIVORS)));
        assertThat(succession.successors).containsExactly(OWN);

        voter.complete();

        assertThat(succession.vote().completed()).isTrue();
    }

    @Test
    void successorThatBothWorldsNameIsAskedOnce() {
        voter.accept(0, ALL, 1, List.of(NEXT));
        voter.accept(1, ALL, 1, List.of(OWN, NEXT));

        assertThat(succession.successors).containsExactly(OWN, NEXT);
    }

    @Test
    void rankThatHasAcceptedNoWorldHasNothingToSay() {
        voter.agree();
        voter.complete();
        voter.cede();

        assertThat(succession.remembered).isNull();
        assertThat(voter.positionIn(world(0, ALL))).isNegative();
        assertThat(voter.goesOnAfter(loss)).isFalse();
        assertThat(voter.isAdrift()).isFalse();
        assertThat(voter.found()).isNull();
    }

    @Test
    void rankThatHasLostItsStoreGivesItsVoteOnce() {
        voter.accept(0, ALL, 1, List.of(NEXT));
        assertThat(voter.goesOnAfter(new IllegalStateException("NaN"))).isFalse();
        assertThat(voter.isAdrift()).isFalse();

        assertThat(voter.goesOnAfter(loss)).isTrue();
        assertThat(voter.goesOnAfter(loss)).isTrue();

        assertThat(succession.given).containsExactly(Vote.first(world(0, ALL)));
        assertThat(voter.isAdrift()).isTrue();
        assertThat(voter.isLeftBehind()).isFalse();
        assertThat(voter.found()).as("not yet").isNull();

        voter.cede();

        assertThat(succession.vote().ceded()).as("its vote is given").isFalse();
    }

    @Test
    void successorGivesItsVoteWithTheDecision() throws InterruptedException {
        store.set("0/0/world", "who is where");
        voter.accept(0, ALL, 1, List.of(OWN, NEXT));

        assertThat(voter.goesOnAfter(loss)).isTrue();

        assertThat(succession.given).containsExactly(Vote.first(world(0, ALL)).withText("who is where"));
    }

    @Test
    void rankThatIsNoSuccessorDoesNotAskForTheDecision() throws InterruptedException {
        store.set("0/0/world", "who is where");
        voter.accept(0, ALL, 1, List.of(NEXT));

        voter.goesOnAfter(loss);

        assertThat(succession.given).containsExactly(Vote.first(world(0, ALL)));
    }

    @Test
    void rankThatHasCededEndsWithItsStore() throws InterruptedException {
        voter.accept(0, ALL, 1, List.of(NEXT));

        voter.cede();

        assertThat(succession.vote().ceded()).isTrue();
        assertThat(store.members("0/ceded")).isEqualTo(IndexSet.of(1));
        assertThat(voter.goesOnAfter(loss)).isFalse();
    }

    @Test
    void rankOfAWorldWithoutSuccessorsEndsWithItsStore() {
        voter.accept(0, ALL, 1, List.of());

        assertThat(voter.goesOnAfter(loss)).isFalse();
    }

    @Test
    void rankThatHasFoundNoStoreDoesNotTryAgain() {
        voter.accept(0, ALL, 1, List.of(NEXT));
        voter.goesOnAfter(loss);
        StoreLostException none = new StoreLostException("successors", "could not be founded anew", null);

        succession.moving.completeExceptionally(none);

        assertThatThrownBy(voter::found).isSameAs(none);
        assertThat(voter.goesOnAfter(loss)).isFalse();
    }

    @Test
    void rankGoesOnFromTheWorldOnWhichTheStoreWasFounded() throws InterruptedException {
        voter.accept(0, ALL, 1, List.of(NEXT));
        voter.accept(1, SURVIVORS, 0, List.of(NEXT));
        voter.goesOnAfter(loss);
        InMemoryStore founded = InMemoryStore.create();
        Term term = new Term(2, 2);
        Succession.Moved there = new Succession.Moved(
                new Founded(founded, NEXT, term, world(0, ALL), false, true),
                view(founded, Generation.FIRST.refounded(2), NEXT));
        succession.moving.complete(there);
        assertThat(voter.found()).isSameAs(there);

        voter.move(there);

        assertThat(succession.moved).isSameAs(there);
        assertThat(succession.vote()).isEqualTo(new Vote(term, world(0, ALL), world(0, ALL), false, false));
        assertThat(voter.isAdrift()).isFalse();
        assertThat(voter.elsewhere()).as("where it would join again").containsExactly(NEXT);
        assertThat(founded.get("2/seats/1").text()).isEqualTo(OWN.write());

        voter.accept(1, ALL, 1, List.of(NEXT));

        assertThat(succession.vote().accepted()).isEqualTo(new KnownWorld(term, 1, ALL, ""));
    }

    /** A successor, so that it can found the next one. */
    @Test
    void rankThatKnowsTheDecisionOfTheBaseKeepsIt() throws InterruptedException {
        store.set("0/0/world", "who is where");
        voter.accept(0, ALL, 1, List.of(OWN));
        voter.goesOnAfter(loss);
        InMemoryStore founded = InMemoryStore.create();

        voter.move(new Succession.Moved(
                new Founded(founded, NEXT, new Term(2, 2), world(0, ALL), false, true),
                view(founded, Generation.FIRST.refounded(2), NEXT)));

        assertThat(succession.vote().accepted().text()).isEqualTo("who is where");
    }

    @Test
    void rankWithoutAVoteCannotMove() {
        Succession.Moved there = new Succession.Moved(
                new Founded(store, NEXT, new Term(1, 2), world(0, ALL), false, true),
                view(store, Generation.FIRST, NEXT));

        assertThatThrownBy(() -> voter.move(there)).isInstanceOf(IllegalStateException.class);
        assertThat(succession.moved).isNull();
    }

    @Test
    void seatIsPublished() throws InterruptedException {
        voter.takeSeat();

        assertThat(store.get("0/seats/1").text()).isEqualTo(OWN.write());
    }

    @Test
    void joinerFollowsTheSuccessorsThatItKnows() throws InterruptedException {
        voter.watch(true, () -> {});
        assertThat(voter.joinsElsewhereAfter(loss)).as("it knows none").isFalse();

        store.set("0/successors", StoreSeat.writeAll(List.of(NEXT, OWN)));

        assertThat(voter.joinsElsewhereAfter(new IllegalStateException("NaN"))).isFalse();
        assertThat(voter.elsewhere()).isEmpty();
        assertThat(voter.joinsElsewhereAfter(loss)).isTrue();
        assertThat(voter.elsewhere()).containsExactly(NEXT, OWN);
    }

    @Test
    void memberVotesInsteadOfJoining() throws InterruptedException {
        voter.watch(false, () -> {});
        store.set("0/successors", StoreSeat.writeAll(List.of(NEXT)));
        assertThat(voter.joinsElsewhereAfter(loss)).as("only joiners watch").isFalse();

        voter.accept(0, ALL, 1, List.of(NEXT));

        assertThat(voter.joinsElsewhereAfter(loss)).isFalse();
    }

    @Test
    void jobThatHasMovedIsFollowed() throws InterruptedException {
        AtomicInteger told = new AtomicInteger();
        voter.watch(true, told::incrementAndGet);

        store.set("moved", NEXT.write());

        assertThat(told).hasValue(1);
        assertThat(voter.elsewhere()).containsExactly(NEXT);
        voter.joins(OWN);
        assertThat(voter.elsewhere()).containsExactly(OWN);
    }

    @Test
    void rankWithoutASuccessionEndsWithItsStore() throws InterruptedException {
        Voter without = voter(null, false);
        AtomicInteger told = new AtomicInteger();

        without.takeSeat();
        without.watch(true, told::incrementAndGet);
        without.accept(0, ALL, 1, List.of(NEXT));
        store.set("moved", NEXT.write());

        assertThat(without.votes()).isFalse();
        assertThat(voter.votes()).isTrue();
        assertThat(store.check(List.of("0/seats/1"))).isFalse();
        assertThat(told).hasValue(0);
        assertThat(without.goesOnAfter(loss)).isFalse();
        assertThat(without.joinsElsewhereAfter(loss)).isFalse();
        assertThat(without.isAdrift()).isFalse();
    }

    @Test
    void rankOfAnAgentFollowsIt() {
        Voter follower = voter(null, true);
        assertThat(follower.goesOnAfter(new IllegalStateException("NaN"))).isFalse();
        assertThat(follower.isLeftBehind()).isFalse();

        assertThat(follower.goesOnAfter(loss)).isTrue();

        assertThat(follower.isLeftBehind()).isTrue();
        assertThat(follower.isAdrift()).isTrue();
        assertThat(voter(null, true).joinsElsewhereAfter(loss)).isTrue();
    }

    @Test
    void tooFewWhoAcceptAreALossOfTheStore() {
        BarrierTimeoutException tooFew =
                new BarrierTimeoutException("5/entered", IndexSet.of(0), IndexSet.range(0, 4), Duration.ofMinutes(2));

        assertThat(Voter.lossBehind(tooFew))
                .isInstanceOf(StoreLostException.class)
                .hasCause(tooFew)
                .hasMessageContaining("too few have accepted");
        assertThat(Voter.lossBehind(loss)).isSameAs(loss);
    }
}
