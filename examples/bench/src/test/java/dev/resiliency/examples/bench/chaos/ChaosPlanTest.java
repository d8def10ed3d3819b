package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.FaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChaosPlanTest {
    private static final List<Integer> LIVE = List.of(0, 1, 2, 4, 7);
    private static final Set<Integer> ACTIVE = Set.of(1, 2, 4);

    private static final ChaosPlan.Targets TARGETS = new ChaosPlan.Targets(LIVE, ACTIVE::contains, process -> true);

    private static List<List<ChaosFault>> batches(int count) {
        ChaosPlan plan = new ChaosPlan(1, 1);
        return Stream.generate(() -> plan.batch(TARGETS)).limit(count).toList();
    }

    @Test
    void sameSeedGivesTheSame() {
        ChaosPlan one = new ChaosPlan(5, 3);
        ChaosPlan other = new ChaosPlan(5, 3);

        assertThat(one.settings(3, 8)).isEqualTo(other.settings(3, 8));
        for (int i = 0; i < 20; i++) {
            assertThat(one.batch(TARGETS)).isEqualTo(other.batch(TARGETS));
            assertThat(one.pause()).isEqualTo(other.pause());
        }
        assertThat(new ChaosPlan(5, 4).settings(4, 8)).isNotEqualTo(one.settings(4, 8));
    }

    @Test
    void everyKindAndPlaceIsDrawn() {
        Set<String> drawn = batches(5000).stream()
                .flatMap(List::stream)
                .map(fault -> fault.kind() + " " + fault.place())
                .collect(Collectors.toSet());

        List<String> all = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            for (Place place : Place.values()) {
                if (place.allows(kind)) {
                    all.add(kind + " " + place);
                }
            }
        }
        assertThat(drawn).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void eachBatchBeginsAtRestHitsEachRankOnceAndLeavesOne() {
        assertThat(batches(1000)).allSatisfy(batch -> {
            assertThat(batch.get(0).place().isInRestart()).isFalse();
            assertThat(batch.get(0).delay()).isZero();
            assertThat(batch)
                    .extracting(ChaosFault::process)
                    .doesNotHaveDuplicates()
                    .isSubsetOf(LIVE);
            assertThat(batch.stream().filter(ChaosFault::isDeadly)).hasSizeLessThanOrEqualTo(LIVE.size() - 1);
            assertThat(batch.stream().filter(fault -> fault.place() == Place.STEP))
                    .allMatch(fault -> ACTIVE.contains(fault.process()));
        });
    }

    @Test
    void ofThoseWhoMayHostTheStoreMoreThanHalfCanVote() {
        ChaosPlan plan = plan();
        List<List<ChaosFault>> batches =
                Stream.generate(() -> plan.batchWithStore(TARGETS)).limit(2000).toList();

        assertThat(batches)
                .allMatch(batch -> batch.stream().filter(ChaosFault::isDeadly).count() <= 2)
                .anyMatch(batch -> batch.stream().filter(ChaosFault::isDeadly).count() == 2)
                .noneMatch(batch -> batch.stream().anyMatch(fault -> fault.place() == Place.NETWORK));
    }

    private static Stream<Outage> outages() {
        ChaosPlan plan = new ChaosPlan(1, 1);
        return Stream.generate(() -> plan.outage(LIVE, ChaosLimits.LONGEST_OUTAGE))
                .limit(2000);
    }

    @Test
    void everyKindOfOutageIsDrawn() {
        assertThat(outages()
                        .map(outage -> outage.direction() + " " + outage.backsOff())
                        .distinct())
                .hasSize(3 * 2);
        assertThat(outages().map(Outage::processes)).contains(List.of(1), List.of(1, 2, 4, 7), LIVE);
    }

    private static ChaosPlan plan() {
        return new ChaosPlan(1, 1);
    }

    @Test
    void thoseWhoWaitAreHitOnlyFromOutside() {
        ChaosPlan plan = plan();
        Set<Integer> members = Set.of(0, 1, 2);
        ChaosPlan.Targets targets = new ChaosPlan.Targets(LIVE, Set.of(0, 1)::contains, members::contains);

        List<ChaosFault> drawn = Stream.generate(() -> plan.batch(targets))
                .limit(2000)
                .flatMap(List::stream)
                .toList();

        assertThat(drawn)
                .filteredOn(fault -> !members.contains(fault.process()))
                .isNotEmpty()
                .allMatch(fault -> fault.place().isOutside());
        assertThat(drawn).anyMatch(fault -> fault.delay().toMillis() > 3000);
    }

    @Test
    void everyPlaceUnderAgentsIsDrawnAndASizeChangesAlone() {
        NodePlan plan = new NodePlan(1, 1);
        List<List<ChaosFault>> batches =
                Stream.generate(() -> plan.batch(4)).limit(3000).toList();

        assertThat(batches.stream().flatMap(List::stream).map(ChaosFault::place).distinct())
                .containsExactlyInAnyOrderElementsOf(Stream.of(Place.values())
                        .filter(place -> place.isOfRank() || place.compareTo(Place.EXIT) > 0)
                        .toList());
        assertThat(batches).allSatisfy(batch -> {
            assertThat(batch.stream().filter(fault -> fault.place().isOfJob())).hasSizeLessThanOrEqualTo(1);
            assertThat(batch.size() == 1 || batch.stream().noneMatch(fault -> fault.place() == Place.SCALE))
                    .isTrue();
        });
    }
}
