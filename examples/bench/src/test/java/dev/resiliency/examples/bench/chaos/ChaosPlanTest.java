package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
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

    private static final List<ProcessView> TARGETS = processes(Set.copyOf(LIVE));

    /** Those of these numbers are in an iteration; the others wait to join. */
    private static List<ProcessView> processes(Set<Integer> members) {
        return LIVE.stream()
                .map(index -> {
                    ProcessView process = new ProcessView(index, "process " + index, index, -1, -1, true);
                    process.apply(new ChaosEvent.Prepared(0));
                    if (members.contains(index)) {
                        State.Mode mode = ACTIVE.contains(index) ? State.Mode.ACTIVE : State.Mode.INACTIVE;
                        process.apply(new ChaosEvent.Started(new State(index, 8, index, 8, mode, 0, 3, 0), 0));
                    }
                    return process;
                })
                .toList();
    }

    private static List<List<ChaosFault>> batches(int count) {
        ChaosPlan plan = new ChaosPlan(1, 1, 8);
        return Stream.generate(() -> plan.batch(TARGETS)).limit(count).toList();
    }

    @Test
    void sameSeedGivesTheSame() {
        ChaosPlan one = new ChaosPlan(5, 3, 8);
        ChaosPlan other = new ChaosPlan(5, 3, 8);

        assertThat(one.settings).isEqualTo(other.settings);
        for (int i = 0; i < 20; i++) {
            assertThat(one.batch(TARGETS)).isEqualTo(other.batch(TARGETS));
            assertThat(one.pause()).isEqualTo(other.pause());
        }
        assertThat(new ChaosPlan(5, 4, 8).batch(TARGETS)).isNotEqualTo(one.batch(TARGETS));
    }

    @Test
    void ofTwoJobsInARowRanksHostTheStoreOfOneAndBothEnd() {
        for (int seed = 1; seed <= 20; seed++) {
            JobSettings.Own one = new ChaosPlan(seed, 1, 8).settings;
            JobSettings.Own other = new ChaosPlan(seed, 2, 8).settings;
            assertThat(one.hosted()).isNotEqualTo(other.hosted());
            assertThat(List.of(one.batches(), other.batches())).allMatch(batches -> batches >= 8 && batches < 16);
        }
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
        ChaosPlan plan = new ChaosPlan(1, 1, 8);
        List<List<ChaosFault>> batches =
                Stream.generate(() -> plan.batchWithStore(TARGETS)).limit(2000).toList();

        assertThat(batches)
                .allMatch(batch -> batch.stream().filter(ChaosFault::isDeadly).count() <= 2)
                .anyMatch(batch -> batch.stream().filter(ChaosFault::isDeadly).count() == 2)
                .noneMatch(batch -> batch.stream().anyMatch(fault -> fault.place() == Place.NETWORK));
    }

    private static Stream<Outage> outages() {
        ChaosPlan plan = new ChaosPlan(1, 1, 8);
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

    @Test
    void thoseWhoWaitAreHitOnlyFromOutside() {
        ChaosPlan plan = new ChaosPlan(1, 1, 8);
        Set<Integer> members = Set.of(0, 1, 2);

        List<ChaosFault> drawn = Stream.generate(() -> plan.batch(processes(members)))
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
                Stream.generate(() -> plan.batch(-1)).limit(3000).toList();

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

    @Test
    void agentsThatAreLeftAreEnoughToFoundTheStoreAnew() {
        NodePlan plan = new NodePlan(1, 1);
        List<List<ChaosFault>> batches = Stream.generate(() -> plan.batch(2))
                .limit(3000)
                .filter(batch -> batch.stream()
                        .anyMatch(fault -> fault.process() == 2 && fault.place().endsAgent()))
                .toList();

        assertThat(batches).anyMatch(batch -> batch.size() == 1).anyMatch(batch -> batch.size() > 1);
        assertThat(batches)
                .allSatisfy(batch -> assertThat(batch)
                        .filteredOn(fault ->
                                fault.place().endsAgent() || fault.place().isOfJob())
                        .hasSize(1));
    }
}
