package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.measure.Stage;
import dev.resiliency.testing.FaultKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChaosPlanTest {
    private static final List<Integer> LIVE = List.of(0, 1, 2, 4, 7);
    private static final Set<Integer> ACTIVE = Set.of(1, 2, 4);
    private static final Set<Integer> REMOTE = Set.of(1, 2, 4, 7);
    private static final Set<Disturbance> ALL = EnumSet.allOf(Disturbance.class);

    private static final ChaosPlan.Targets TARGETS =
            new ChaosPlan.Targets(LIVE, ACTIVE::contains, process -> true, REMOTE::contains, 2);

    private static List<List<ChaosFault>> batches(Set<FaultKind> kinds, int count) {
        ChaosPlan plan = new ChaosPlan(1, 1, kinds, ALL, false);
        return Stream.generate(() -> plan.batch(TARGETS)).limit(count).toList();
    }

    @Test
    void sameSeedGivesTheSame() {
        ChaosPlan one = new ChaosPlan(5, 3, EnumSet.allOf(FaultKind.class), ALL, false);
        ChaosPlan other = new ChaosPlan(5, 3, EnumSet.allOf(FaultKind.class), ALL, false);

        assertThat(one.settings(3, 8)).isEqualTo(other.settings(3, 8));
        for (int i = 0; i < 20; i++) {
            assertThat(one.batch(TARGETS)).isEqualTo(other.batch(TARGETS));
            assertThat(one.pause()).isEqualTo(other.pause());
        }
        assertThat(new ChaosPlan(5, 4, EnumSet.allOf(FaultKind.class), ALL, false).settings(4, 8))
                .isNotEqualTo(one.settings(4, 8));
    }

    @Test
    void everyKindAndPlaceIsDrawn() {
        Set<String> drawn = batches(EnumSet.allOf(FaultKind.class), 5000).stream()
                .flatMap(List::stream)
                .map(fault -> fault.kind() + " " + fault.place())
                .collect(Collectors.toSet());

        List<String> all = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            for (Place place : Place.values()) {
                if (place.allows(kind) && place.isInBatches()) {
                    all.add(kind + " " + place);
                }
            }
        }
        assertThat(drawn).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void eachBatchBeginsAtRestHitsEachRankOnceAndLeavesTwo() {
        assertThat(batches(EnumSet.allOf(FaultKind.class), 1000)).allSatisfy(batch -> {
            assertThat(batch.get(0).place().isInRestart()).isFalse();
            assertThat(batch.get(0).delay()).isZero();
            assertThat(batch)
                    .extracting(ChaosFault::process)
                    .doesNotHaveDuplicates()
                    .isSubsetOf(LIVE);
            assertThat(batch.stream().filter(ChaosFault::isDeadly)).hasSizeLessThanOrEqualTo(LIVE.size() - 2);
            assertThat(batch.stream().filter(fault -> fault.place() == Place.STEP))
                    .allMatch(fault -> ACTIVE.contains(fault.process()));
        });
    }

    @Test
    void onlyRequestedKindsAreDrawn() {
        assertThat(batches(EnumSet.of(FaultKind.SIGKILL), 100))
                .flatExtracting(batch -> batch)
                .isNotEmpty()
                .allMatch(fault -> fault.kind() == FaultKind.SIGKILL);
    }

    private static Stream<Outage> outages() {
        ChaosPlan plan = new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), ALL, false);
        return Stream.generate(() -> plan.outage(List.copyOf(new TreeSet<>(REMOTE)), ChaosLimits.LONGEST_OUTAGE))
                .limit(2000);
    }

    @Test
    void outagesAreShorterThanTheTimeoutAndCutOffOnlyRemoteRanks() {
        assertThat(outages()).allSatisfy(outage -> {
            assertThat(outage.length()).isLessThan(ChaosLimits.HEARTBEAT_TIMEOUT);
            assertThat(REMOTE).containsAll(outage.processes());
            assertThat(outage.processes()).isNotEmpty();
        });
        assertThat(ChaosLimits.OUTAGE_OVER_TIMEOUT).isGreaterThan(ChaosLimits.HEARTBEAT_TIMEOUT.plusSeconds(1));
    }

    @Test
    void everyKindOfOutageIsDrawn() {
        assertThat(outages()
                        .map(outage -> outage.side() + " " + outage.direction() + " " + outage.backsOff())
                        .distinct())
                .hasSize(3 * 3 * 2);
        assertThat(outages().map(Outage::processes)).contains(List.of(1), List.of(2, 4, 7), List.of(1, 2, 4, 7));
    }

    @Test
    void hostOfTheStoreIsNeverCutOff() {
        assertThat(batches(EnumSet.of(FaultKind.HOST_LOSS), 2000))
                .flatExtracting(batch -> batch)
                .filteredOn(fault -> fault.place() == Place.NETWORK)
                .isNotEmpty()
                .allMatch(fault -> REMOTE.contains(fault.process()));
    }

    @Test
    void everyStrayIsDrawnWithARankOfItsKind() {
        ChaosPlan plan = new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), ALL, false);
        List<List<Stray>> drawn =
                Stream.generate(() -> plan.strays(LIVE, 8)).limit(3000).toList();

        assertThat(drawn.stream().flatMap(List::stream).map(Stray::kind).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        ALL.stream().filter(Disturbance::isRefused).toList());
        assertThat(drawn.stream().flatMap(List::stream)).allSatisfy(stray -> {
            assertThat(stray.worldSize() == 8).isEqualTo(stray.kind() != Disturbance.OTHER_WORLD);
            assertThat(stray.rank()).isBetween(0, stray.worldSize() - 1);
            assertThat(stray.kind() != Disturbance.STARTED_TWICE || LIVE.contains(stray.rank()))
                    .isTrue();
            assertThat(stray.kind() != Disturbance.STARTED_AGAIN || !LIVE.contains(stray.rank()))
                    .isTrue();
        });
        assertThat(drawn)
                .anySatisfy(job ->
                        assertThat(job).hasSize(8).extracting(Stray::rank).doesNotHaveDuplicates());
    }

    @Test
    void onlyRequestedDisturbancesAreDrawn() {
        ChaosPlan none = new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), Set.of(), false);
        ChaosPlan twice = new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), Set.of(Disturbance.STARTED_TWICE), false);
        for (int i = 0; i < 500; i++) {
            assertThat(none.strays(LIVE, 8)).isEmpty();
            assertThat(none.isOutageAlone() || none.isOutageBeside() || none.hasNeighbour())
                    .isFalse();
            assertThat(twice.strays(LIVE, 8)).allMatch(stray -> stray.kind() == Disturbance.STARTED_TWICE);
        }
    }

    private static ChaosPlan replacing() {
        return new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), ALL, true);
    }

    @Test
    void jobThatReplacesRanksHasItsStoreElsewhereAndNoLastBatch() {
        for (int job = 1; job < 50; job++) {
            JobSettings settings = new ChaosPlan(3, job, EnumSet.allOf(FaultKind.class), ALL, true).settings(job, 8);
            assertThat(settings.replaces()).isTrue();
            assertThat(settings.hosted()).isFalse();
            assertThat(settings.batches()).isEqualTo(Integer.MAX_VALUE);
            assertThat(new ChaosPlan(3, job, EnumSet.allOf(FaultKind.class), ALL, false)
                            .settings(job, 8)
                            .replaces())
                    .isFalse();
        }
    }

    @Test
    void thoseWhoWaitAreHitOnlyFromOutside() {
        ChaosPlan plan = replacing();
        Set<Integer> members = Set.of(0, 1, 2);
        ChaosPlan.Targets targets =
                new ChaosPlan.Targets(LIVE, Set.of(0, 1)::contains, members::contains, process -> true, 1);

        List<ChaosFault> drawn = Stream.generate(() -> plan.batch(targets))
                .limit(2000)
                .flatMap(List::stream)
                .toList();

        assertThat(drawn)
                .filteredOn(fault -> !members.contains(fault.process()))
                .isNotEmpty()
                .allMatch(fault -> fault.place().isOutside());
        assertThat(drawn).anyMatch(fault -> fault.delay().toMillis() > 3000);
        assertThat(drawn).noneMatch(fault -> fault.place() == Place.JOINING);
    }

    @Test
    void someProcessesCrashOnTheirWayIntoTheJobAtEachStage() {
        ChaosPlan plan = replacing();

        List<Optional<Crash>> drawn = Stream.generate(plan::crash).limit(500).toList();

        assertThat(drawn).contains(Optional.empty());
        assertThat(drawn.stream().flatMap(Optional::stream).map(Crash::after).distinct())
                .containsExactlyInAnyOrder(null, Stage.CONNECTED, Stage.MONITORED);
    }

    @Test
    void collapseKillsAllAndHappensOnlyWhereTheJobCanBeginAnew() {
        ChaosPlan plan = replacing();
        ChaosPlan shrinking = new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), ALL, false);
        ChaosPlan gentle = new ChaosPlan(1, 1, EnumSet.of(FaultKind.EXCEPTION), ALL, true);

        assertThat(plan.collapse(LIVE)).extracting(ChaosFault::process).containsExactlyElementsOf(LIVE);
        assertThat(plan.collapse(LIVE)).allMatch(ChaosFault::isDeadly);
        assertThat(Stream.generate(plan::isCollapse).limit(200)).contains(true, false);
        assertThat(Stream.generate(shrinking::isCollapse).limit(200)).containsOnly(false);
        assertThat(Stream.generate(gentle::isCollapse).limit(200)).containsOnly(false);
    }

    @Test
    void jobThatReplacesRanksRefusesOnlyOtherWorldsAndTakesSecondProcessesIn() {
        ChaosPlan plan = replacing();

        assertThat(Stream.generate(() -> plan.strays(LIVE, 8)).limit(500).flatMap(List::stream))
                .isNotEmpty()
                .allMatch(stray -> stray.kind() == Disturbance.OTHER_WORLD);
        assertThat(Stream.generate(() -> plan.hasSecondProcess(0)).limit(200)).contains(true, false);
        assertThat(Stream.generate(() -> plan.hasSecondProcess(2)).limit(200)).containsOnly(false);
    }
}
