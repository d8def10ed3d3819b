package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.measure.StagedStore.Stage;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChaosPlanTest {
    private static final List<Integer> LIVE = List.of(0, 1, 2, 4, 7);
    private static final Set<Integer> ACTIVE = Set.of(1, 2, 4);
    private static final Set<Disturbance> ALL = EnumSet.allOf(Disturbance.class);

    private static final ChaosPlan.Targets TARGETS = new ChaosPlan.Targets(LIVE, ACTIVE::contains, process -> true);

    private static List<List<ChaosFault>> batches(Set<FaultKind> kinds, int count) {
        ChaosPlan plan = new ChaosPlan(1, 1, kinds, ALL);
        return Stream.generate(() -> plan.batch(TARGETS)).limit(count).toList();
    }

    @Test
    void sameSeedGivesTheSame() {
        ChaosPlan one = new ChaosPlan(5, 3, EnumSet.allOf(FaultKind.class), ALL);
        ChaosPlan other = new ChaosPlan(5, 3, EnumSet.allOf(FaultKind.class), ALL);

        assertThat(one.settings(3, 8)).isEqualTo(other.settings(3, 8));
        for (int i = 0; i < 20; i++) {
            assertThat(one.batch(TARGETS)).isEqualTo(other.batch(TARGETS));
            assertThat(one.pause()).isEqualTo(other.pause());
        }
        assertThat(new ChaosPlan(5, 4, EnumSet.allOf(FaultKind.class), ALL).settings(4, 8))
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
                if (place.allows(kind) && place != Place.JOINING) {
                    all.add(kind + " " + place);
                }
            }
        }
        assertThat(drawn).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void eachBatchBeginsAtRestHitsEachRankOnceAndLeavesOne() {
        assertThat(batches(EnumSet.allOf(FaultKind.class), 1000)).allSatisfy(batch -> {
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
    void onlyRequestedKindsAreDrawn() {
        assertThat(batches(EnumSet.of(FaultKind.SIGKILL), 100))
                .flatExtracting(batch -> batch)
                .isNotEmpty()
                .allMatch(fault -> fault.kind() == FaultKind.SIGKILL);
    }

    private static Stream<Outage> outages() {
        ChaosPlan plan = new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), ALL);
        return Stream.generate(() -> plan.outage(LIVE, ChaosLimits.LONGEST_OUTAGE))
                .limit(2000);
    }

    @Test
    void outagesAreShorterThanTheTimeoutAndCutOffOnlyRemoteRanks() {
        assertThat(outages()).allSatisfy(outage -> {
            assertThat(outage.length()).isLessThan(ChaosLimits.HEARTBEAT_TIMEOUT);
            assertThat(LIVE).containsAll(outage.processes());
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
        assertThat(outages().map(Outage::processes)).contains(List.of(1), List.of(1, 2, 4, 7), LIVE);
    }

    @Test
    void onlyRequestedDisturbancesAreDrawn() {
        ChaosPlan none = new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), Set.of());
        for (int i = 0; i < 500; i++) {
            assertThat(none.otherWorld(8)).isEmpty();
            assertThat(none.isOutageAlone() || none.isOutageBeside() || none.hasNeighbour())
                    .isFalse();
            assertThat(none.hasSecondProcess(0) || none.hasLateProcesses()).isFalse();
        }
    }

    private static ChaosPlan plan() {
        return new ChaosPlan(1, 1, EnumSet.allOf(FaultKind.class), ALL);
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
        assertThat(drawn).noneMatch(fault -> fault.place() == Place.JOINING);
    }

    @Test
    void someProcessesCrashOnTheirWayIntoTheJobAtEachStage() {
        ChaosPlan plan = plan();

        List<Optional<ChaosPlan.Crash>> drawn =
                Stream.generate(plan::crash).limit(500).toList();

        assertThat(drawn).contains(Optional.empty());
        assertThat(drawn.stream()
                        .flatMap(Optional::stream)
                        .map(ChaosPlan.Crash::after)
                        .distinct())
                .containsExactlyInAnyOrder(null, Stage.CONNECTED, Stage.MONITORED);
    }

    @Test
    void crashIsDueAfterTheStageThatTheProcessReachesBefore() {
        ProcessView process = new ProcessView("rank 1", 1, -1, -1, true, 1000);
        ChaosPlan.Crash atLaunch = new ChaosPlan.Crash(null, Duration.ofNanos(7));
        ChaosPlan.Crash connected = new ChaosPlan.Crash(Stage.CONNECTED, Duration.ofNanos(7));
        assertThat(atLaunch.isDue(process, 1006)).isFalse();
        assertThat(atLaunch.isDue(process, 1007)).isTrue();
        assertThat(connected.isDue(process, 5000)).isFalse();

        process.apply(new ChaosEvent.Reached(Stage.CONNECTED, 2000));

        assertThat(connected.isDue(process, 2006)).isFalse();
        assertThat(connected.isDue(process, 2007)).isTrue();
    }

    @Test
    void collapseKillsAll() {
        ChaosPlan plan = plan();
        ChaosPlan gentle = new ChaosPlan(1, 1, EnumSet.of(FaultKind.EXCEPTION), ALL);

        assertThat(plan.collapse(LIVE)).extracting(ChaosFault::process).containsExactlyElementsOf(LIVE);
        assertThat(plan.collapse(LIVE)).allMatch(ChaosFault::isDeadly);
        assertThat(Stream.generate(plan::isCollapse).limit(200)).contains(true, false);
        assertThat(Stream.generate(gentle::isCollapse).limit(200)).containsOnly(false);
    }

    @Test
    void ranksOfOtherWorldsAndSecondProcessesAreDrawn() {
        ChaosPlan plan = plan();

        assertThat(Stream.generate(() -> plan.otherWorld(8)).limit(500))
                .contains(OptionalInt.empty(), OptionalInt.of(7), OptionalInt.of(9));
        assertThat(Stream.generate(() -> plan.hasSecondProcess(0)).limit(200)).contains(true, false);
        assertThat(Stream.generate(() -> plan.hasSecondProcess(2)).limit(200)).containsOnly(false);
    }

    @Test
    void everyPlaceUnderAgentsIsDrawnAndASizeChangesAlone() {
        ChaosPlan plan = plan();
        List<List<ChaosFault>> batches =
                Stream.generate(() -> plan.batchOfNodes(4)).limit(3000).toList();

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
