package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.state.internal.RecoveryDecision.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decisions about states with shards. */
class ShardAgreementTest {
    private static final int ITERATION = 7;
    private static final Part ALL = new Part("replicated", List.of(12L));

    private static Part shard(int index) {
        return new Part("shard-" + index, List.of(8L));
    }

    private static Version at(long step) {
        return new Version(0, 0, step);
    }

    private static Copied copy(Part part, long step) {
        return new Copied(part, at(step));
    }

    private static Holding holding(int rank, boolean isWhole, long step, Copied... copies) {
        return new Holding(
                10 + rank,
                isWhole,
                at(step),
                "same",
                List.of(),
                new Peer(10 + rank, "10.0.0." + rank, 1, "token", ""),
                new ShardHolding("host" + rank, true, shard(rank), Set.of(copies)));
    }

    private static Holding joiner(int rank) {
        return new Holding(
                10 + rank,
                false,
                Version.NONE,
                "same",
                List.of(),
                new Peer(10 + rank, "10.0.0." + rank, 1, "token", ""),
                new ShardHolding("host" + rank, false, shard(rank), Set.of()));
    }

    private static RecoveryDecision decide(Holding... holdings) {
        return Agreement.decide(List.of(holdings), ITERATION);
    }

    @Test
    void whereAllHoldTheirShardsNobodyGoesBack() {
        RecoveryDecision decision = decide(holding(0, true, 42, copy(ALL, 40)), holding(1, true, 42));

        assertThat(decision.version()).isEqualTo(at(42));
        assertThat(decision.goesBack()).isFalse();
    }

    @Test
    void afterALossAllGoBackToTheStepOfWhichEveryShardIsLeft() {
        Holding own = holding(0, true, 42, copy(ALL, 40), copy(shard(0), 40), copy(ALL, 35), copy(shard(0), 35));
        Holding buddy = holding(1, true, 42, copy(ALL, 40), copy(shard(1), 40), copy(shard(2), 40));

        RecoveryDecision decision = decide(own, buddy, joiner(2));

        assertThat(decision.version()).isEqualTo(at(40));
        assertThat(decision.goesBack()).isTrue();
        assertThat(decision.stepsLost(40)).isEqualTo(2);
        assertThat(decision.kept()).isEqualTo(at(40));
        List<Holding> holdings = List.of(own, buddy, joiner(2));
        assertThat(Agreement.shardSources(decision, holdings))
                .isEqualTo(Map.of(2, new Sources(1, List.of(Objects.requireNonNull(buddy.peer())))));
        assertThat(Agreement.sources(decision, holdings)).containsOnlyKeys(2);
    }

    @Test
    void rankThatIsAStepBehindWithItsShardMakesAllGoBack() {
        RecoveryDecision decision = decide(
                holding(0, true, 42, copy(ALL, 40), copy(shard(0), 40)),
                holding(1, true, 41, copy(ALL, 40), copy(shard(1), 40)));

        assertThat(decision.version()).isEqualTo(at(40));
        assertThat(decision.stepsLost(40)).isEqualTo(2);
    }

    @Test
    void whereAShardIsLostWithItsCopyAllReadTheCheckpoint() {
        assertThat(decide(holding(0, true, 42, copy(ALL, 40), copy(shard(0), 40)), joiner(1)))
                .extracting(RecoveryDecision::kind, RecoveryDecision::reason)
                .containsExactly(Kind.CHECKPOINT, "no rank that holds shard-1 of step 42 can send it");
    }

    @Test
    void shardOfOtherSizesIsAnotherOne() {
        Holding larger = new Holding(
                11,
                false,
                Version.NONE,
                "same",
                List.of(),
                new Peer(11, "10.0.0.1", 1, "token", ""),
                new ShardHolding("host", false, new Part("shard-1", List.of(16L)), Set.of()));

        assertThat(decide(holding(0, true, 42, copy(ALL, 40), copy(shard(0), 40), copy(shard(1), 40)), larger)
                        .kind())
                .isEqualTo(Kind.CHECKPOINT);
    }

    @Test
    void latestStepThatCopiesAloneHoldIsKept() {
        RecoveryDecision decision = decide(
                holding(0, true, 45, copy(ALL, 44), copy(shard(0), 44), copy(ALL, 40), copy(shard(0), 40)),
                holding(1, true, 45, copy(ALL, 40), copy(shard(1), 40)));

        assertThat(decision.version()).isEqualTo(at(45));
        assertThat(decision.kept()).isEqualTo(at(40));
    }

    /** Whatever is decided can be done: each part that a rank needs is held by the rank itself or by one of its sources. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsDecidedCanBeDone(long seed) {
        Random random = new Random(seed);
        int fromMemory = 0;
        for (int round = 0; round < 2_000; round++) {
            List<Holding> holdings = random(random);

            RecoveryDecision decision = Agreement.decide(holdings, ITERATION);

            if (decision.kind() == Kind.MEMORY) {
                fromMemory++;
                Map<Integer, Sources> sources = Agreement.sources(decision, holdings);
                Map<Integer, Sources> shardSources = Agreement.shardSources(decision, holdings);
                for (int rank = 0; rank < holdings.size(); rank++) {
                    Holding each = holdings.get(rank);
                    assertThat(sources.containsKey(rank)).isNotEqualTo(each.holdsReplicated(decision.version()));
                    assertThat(shardSources.containsKey(rank))
                            .isNotEqualTo(each.holdsShard(shard(rank), decision.version()));
                }
                shardSources.forEach((rank, its) -> assertThat(its.peers())
                        .isNotEmpty()
                        .allSatisfy(peer -> assertThat(
                                        holdings.get(peer.rank() - 10).holdsShard(shard(rank), decision.version()))
                                .isTrue()));
            }
        }
        assertThat(fromMemory).isBetween(200, 1_900);
    }

    private static List<Holding> random(Random random) {
        List<Holding> holdings = new ArrayList<>();
        int ranks = 2 + random.nextInt(5);
        for (int rank = 0; rank < ranks; rank++) {
            if (random.nextInt(4) == 0) {
                holdings.add(joiner(rank));
            } else {
                Set<Copied> copies = new HashSet<>();
                for (long step = 30; step <= 40; step += 5) {
                    for (Part part : List.of(ALL, shard(rank), shard((rank + 1) % ranks))) {
                        if (random.nextInt(8) > 0) {
                            copies.add(copy(part, step));
                        }
                    }
                }
                holdings.add(
                        holding(rank, random.nextInt(5) > 0, 41 + random.nextInt(2), copies.toArray(Copied[]::new)));
            }
        }
        return holdings;
    }

    @Test
    void whatRanksPublishAboutShardsReadsTheSame() {
        Holding holding = holding(3, true, 42, copy(ALL, 40), copy(new Part("shard-1/4", List.of()), 35));
        assertThat(Holding.decode(holding.encode())).isEqualTo(holding);
        List<List<Guest>> guests = Agreement.guests(List.of(holding(0, true, 1), holding(1, true, 1), joiner(2)));
        assertThat(guests).hasSize(3).allSatisfy(each -> {
            assertThat(each).hasSize(1);
            assertThat(Guest.decode(Guest.encode(each))).isEqualTo(each);
        });
        assertThat(Guest.decode(Guest.encode(List.of()))).isEmpty();
        RecoveryDecision decision = RecoveryDecision.memory(at(5), 7, true, new Version(1, 2, 3), List.of(3L));
        assertThat(RecoveryDecision.decode(decision.encode())).isEqualTo(decision);
    }

    @Test
    void replicasOfOneShardThatDifferAreFound() {
        List<Holding> holdings = List.of(holding(0, true, 1), holding(1, true, 1), holding(2, true, 1));

        assertThat(Agreement.verdict(
                        List.of("replicated a\nshard-0 b\n", "replicated a\nshard-1 c\n", "replicated a\nshard-1 c\n"),
                        holdings,
                        "failed: "))
                .isEmpty();
        assertThat(Agreement.verdict(
                        List.of("replicated a\nshard-0 b\n", "replicated a\nshard-1 c\n", "replicated a\nshard-1 d\n"),
                        holdings,
                        "failed: "))
                .isEqualTo("differs on ranks {12} from that of the others");
    }
}
