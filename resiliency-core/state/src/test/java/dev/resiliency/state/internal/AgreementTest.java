package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.spi.socket.LocalAddress;
import dev.resiliency.state.internal.RecoveryDecision.Kind;
import dev.resiliency.store.IndexSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgreementTest {
    private static final int ITERATION = 7;

    private static Peer peer(int rank) {
        return new Peer(rank, "10.0.0." + rank, 1000 + rank, "token" + rank, "");
    }

    private static Version version(int line, long step) {
        return new Version(line, line, step);
    }

    private static Holding whole(int rank, int line, long step) {
        return new Holding(rank, true, version(line, step), "same", List.of(), peer(rank), null);
    }

    private static Holding torn(int rank, int line, long step) {
        return new Holding(rank, false, version(line, step), "same", List.of(), peer(rank), null);
    }

    private static Holding fresh(int rank) {
        return torn(rank, -1, -1);
    }

    private static RecoveryDecision decide(Holding... holdings) {
        return Agreement.decide(List.of(holdings), ITERATION);
    }

    @Test
    void highestStepThatIsHeldCompletelyWins() {
        RecoveryDecision decision = decide(whole(0, 0, 41), whole(1, 0, 42), torn(2, 0, 42), fresh(3));

        assertThat(decision).isEqualTo(RecoveryDecision.memory(version(0, 42), 42, false, Version.NONE, List.of()));
        assertThat(decision.stepsLost(42)).isZero();
    }

    @Test
    void stepOfWhichOnlyATornStateIsLeftIsLost() {
        RecoveryDecision decision = decide(whole(0, 0, 41), torn(1, 0, 45));

        assertThat(decision.step()).isEqualTo(41);
        assertThat(decision.stepsLost(41)).isEqualTo(4);
    }

    @Test
    void stateFromBeforeALaterCheckpointCountsForNothingHoweverFarItIs() {
        assertThat(decide(whole(0, 3, 50), whole(1, 0, 900)))
                .extracting(decision -> decision.version().line(), RecoveryDecision::step)
                .containsExactly(3, 50L);
    }

    @Test
    void whereNobodyHoldsACompleteStateAllReadTheCheckpoint() {
        RecoveryDecision decision = decide(fresh(0), torn(1, 0, 12));

        assertThat(decision).isEqualTo(RecoveryDecision.checkpoint(ITERATION, 12, ""));
        assertThat(decision.stepsLost(10)).isEqualTo(2);
        assertThat(decide(fresh(0), fresh(1)).stepsLost(0)).isZero();
    }

    @Test
    void whereNoHolderCanSendAllReadTheCheckpointUnlessAllHoldTheState() {
        Holding mute = new Holding(0, true, version(0, 5), "same", List.of(), null, null);

        assertThat(decide(mute, fresh(1)))
                .extracting(RecoveryDecision::kind, RecoveryDecision::reason)
                .containsExactly(Kind.CHECKPOINT, "no rank that holds step 5 can send it");
        assertThat(decide(mute, mute).kind()).isEqualTo(Kind.MEMORY);
    }

    @Test
    void ranksWithOtherBuffersThanTheFirstAreNamed() {
        Holding other = new Holding(9, true, version(0, 5), "other", List.of(), peer(9), null);

        assertThat(decide(whole(4, 0, 5), other, whole(2, 0, 5)))
                .extracting(RecoveryDecision::kind, RecoveryDecision::reason)
                .containsExactly(Kind.MISMATCH, "of ranks {9}");
    }

    @Test
    void ranksThatServeAtALoopbackAddressAreOutOfReachOfOtherHosts() {
        Holding loopback =
                new Holding(3, true, version(0, 5), "same", List.of(), new Peer(3, "127.0.1.1", 1, "token", ""), null);

        assertThat(Agreement.outOfReach(List.of(loopback, whole(1, 0, 5)))).isEqualTo(IndexSet.of(3));
        assertThat(Agreement.outOfReach(List.of(loopback, loopback)).isEmpty()).isTrue();
        assertThat(LocalAddress.isLoopback("localhost")).isTrue();
        assertThat(LocalAddress.isLoopback("node-17")).isFalse();
    }

    @Test
    void oneReceiverUsesSeveralHoldersAtOnce() {
        RecoveryDecision decision = decide(whole(0, 0, 5), whole(1, 0, 5), fresh(2), whole(3, 0, 5));

        Sources sources = Agreement.sources(decision, List.of(whole(0, 0, 5), whole(1, 0, 5), fresh(2), whole(3, 0, 5)))
                .getOrDefault(2, new Sources(0, List.of()));

        assertThat(sources.atOnce()).isEqualTo(3);
        assertThat(sources.peers()).containsExactly(peer(0), peer(1), peer(3));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void eachReceiverHasAWayToAHolderAndNoRankHasTooManyBelowIt(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int ranks = 2 + random.nextInt(60);
            int certain = random.nextInt(ranks);
            List<Holding> holdings = IntStream.range(0, ranks)
                    .mapToObj(rank -> rank == certain || random.nextInt(10) < 3 ? whole(rank, 0, 5) : fresh(rank))
                    .toList();
            RecoveryDecision decision = Agreement.decide(holdings, ITERATION);

            Map<Integer, Sources> sources = Agreement.sources(decision, holdings);

            assertThat(sources.keySet())
                    .containsExactlyElementsOf(IntStream.range(0, ranks)
                            .filter(rank -> !holdings.get(rank).isWhole())
                            .boxed()
                            .toList());
            assertThat(reached(holdings, sources)).hasSize(ranks);
            assertThat(fanOut(sources).values())
                    .allSatisfy(below -> assertThat(below).isLessThanOrEqualTo(Agreement.FAN_OUT));
            assertThat(sources.values()).allSatisfy(each -> {
                assertThat(each.atOnce()).isBetween(1, Agreement.AT_ONCE);
                assertThat(each.peers())
                        .doesNotHaveDuplicates()
                        .anyMatch(peer -> holdings.get(peer.rank()).isWhole());
            });
        }
    }

    /** Returns the ranks that the state reaches on the ways by which it goes first. */
    private static Set<Integer> reached(List<Holding> holdings, Map<Integer, Sources> sources) {
        Deque<Integer> next = new ArrayDeque<>();
        IntStream.range(0, holdings.size())
                .filter(rank -> holdings.get(rank).isWhole())
                .forEach(next::add);
        Set<Integer> reached = new HashSet<>(next);
        while (!next.isEmpty()) {
            int from = next.remove();
            sources.forEach((rank, its) -> {
                boolean isBelow = its.peers().subList(0, its.atOnce()).contains(peer(from));
                if (isBelow && reached.add(rank)) {
                    next.add(rank);
                }
            });
        }
        return reached;
    }

    private static Map<Peer, Integer> fanOut(Map<Integer, Sources> sources) {
        Map<Peer, Integer> below = new HashMap<>();
        sources.values()
                .forEach(each ->
                        each.peers().subList(0, each.atOnce()).forEach(peer -> below.merge(peer, 1, Integer::sum)));
        return below;
    }

    @Test
    void ranksThatDifferFromMostAreNamed() {
        List<Holding> holdings = List.of(whole(5, 0, 1), whole(6, 0, 1), whole(7, 0, 1));

        assertThat(Agreement.verdict(List.of("p a", "p a", "p a"), holdings, "failed: "))
                .isEmpty();
        assertThat(Agreement.verdict(List.of("p b", "p a", "p a"), holdings, "failed: "))
                .isEqualTo("differs on ranks {5} from that of the others");
        assertThat(Agreement.verdict(List.of("p a", "p b", "p c"), holdings, "failed: "))
                .isEqualTo("differs on ranks {6, 7} from that of the others");
        assertThat(Agreement.verdict(List.of("p a", "failed: no route", "p a"), holdings, "failed: "))
                .isEqualTo("could not be sent to rank 6 (no route)");
    }

    @Test
    void whatRanksPublishReadsTheSame() {
        List<Holding> holdings = new ArrayList<>(List.of(whole(1, 2, 3), fresh(4)));
        holdings.add(new Holding(5, true, version(0, 1L << 40), "f00", List.of(7L, 0L), null, null));
        for (@Nullable Holding holding : holdings) {
            assertThat(Holding.decode(holding.encode())).isEqualTo(holding);
        }
        RecoveryDecision decision = RecoveryDecision.checkpoint(3, 88, "no rank can send it");
        assertThat(RecoveryDecision.decode(decision.encode())).isEqualTo(decision);
        Sources sources = new Sources(2, List.of(peer(1), peer(2), peer(3)));
        assertThat(Sources.decode(sources.encode())).isEqualTo(sources);
        Layout layout = Layout.of(List.of(ArrayRegion.floats("hidden weights", 3), ArrayRegion.longs("seed", 1)));
        assertThat(Layout.decode(layout.encode())).isEqualTo(layout);
    }

    @Test
    void differenceOfLayoutsNamesTheBuffer() {
        Layout layout = Layout.of(List.of(ArrayRegion.floats("weights", 3), ArrayRegion.longs("seed", 1)));
        Layout longer = Layout.of(List.of(ArrayRegion.floats("weights", 4), ArrayRegion.longs("seed", 1)));
        Layout without = Layout.of(List.of(ArrayRegion.longs("seed", 1)));

        assertThat(layout.fingerprint()).isNotEqualTo(longer.fingerprint());
        assertThat(layout.difference(longer)).isEqualTo("'weights' of 3 floats, and the other of 4 floats");
        assertThat(layout.difference(without)).isEqualTo("'weights' of 3 floats, and the other has none");
        assertThat(without.difference(layout)).isEqualTo("no 'weights', and the other one of 3 floats");
    }
}
