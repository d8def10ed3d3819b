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

class DiceTest {
    private static final List<Integer> LIVE = List.of(0, 1, 2, 4, 7);
    private static final Set<Integer> ACTIVE = Set.of(1, 2, 4);
    private static final Set<Integer> REMOTE = Set.of(1, 2, 4, 7);
    private static final Set<Disturbance> ALL = EnumSet.allOf(Disturbance.class);

    private static final Dice.Targets TARGETS =
            new Dice.Targets(LIVE, ACTIVE::contains, process -> true, REMOTE::contains, 2);

    private static List<List<Strike>> volleys(Set<FaultKind> kinds, int count) {
        Dice dice = new Dice(1, 1, kinds, ALL, false);
        return Stream.generate(() -> dice.volley(TARGETS)).limit(count).toList();
    }

    @Test
    void sameSeedGivesTheSame() {
        Dice one = new Dice(5, 3, EnumSet.allOf(FaultKind.class), ALL, false);
        Dice other = new Dice(5, 3, EnumSet.allOf(FaultKind.class), ALL, false);

        assertThat(one.settings(3, 8)).isEqualTo(other.settings(3, 8));
        for (int i = 0; i < 20; i++) {
            assertThat(one.volley(TARGETS)).isEqualTo(other.volley(TARGETS));
            assertThat(one.pause()).isEqualTo(other.pause());
        }
        assertThat(new Dice(5, 4, EnumSet.allOf(FaultKind.class), ALL, false).settings(4, 8))
                .isNotEqualTo(one.settings(4, 8));
    }

    @Test
    void everyKindAndPlaceIsDrawn() {
        Set<String> drawn = volleys(EnumSet.allOf(FaultKind.class), 5000).stream()
                .flatMap(List::stream)
                .map(strike -> strike.kind() + " " + strike.place())
                .collect(Collectors.toSet());

        List<String> all = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            for (Place place : Place.values()) {
                if (place.allows(kind) && place.isInVolleys()) {
                    all.add(kind + " " + place);
                }
            }
        }
        assertThat(drawn).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void eachVolleyBeginsAtRestHitsEachRankOnceAndLeavesTwo() {
        assertThat(volleys(EnumSet.allOf(FaultKind.class), 1000)).allSatisfy(volley -> {
            assertThat(volley.get(0).place().isInRestart()).isFalse();
            assertThat(volley.get(0).delay()).isZero();
            assertThat(volley)
                    .extracting(Strike::process)
                    .doesNotHaveDuplicates()
                    .isSubsetOf(LIVE);
            assertThat(volley.stream().filter(Strike::isDeadly)).hasSizeLessThanOrEqualTo(LIVE.size() - 2);
            assertThat(volley.stream().filter(strike -> strike.place() == Place.STEP))
                    .allMatch(strike -> ACTIVE.contains(strike.process()));
        });
    }

    @Test
    void onlyRequestedKindsAreDrawn() {
        assertThat(volleys(EnumSet.of(FaultKind.SIGKILL), 100))
                .flatExtracting(volley -> volley)
                .isNotEmpty()
                .allMatch(strike -> strike.kind() == FaultKind.SIGKILL);
    }

    private static Stream<Outage> outages() {
        Dice dice = new Dice(1, 1, EnumSet.allOf(FaultKind.class), ALL, false);
        return Stream.generate(() -> dice.outage(List.copyOf(new TreeSet<>(REMOTE)), ChaosLimits.LONGEST_OUTAGE))
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
        assertThat(volleys(EnumSet.of(FaultKind.HOST_LOSS), 2000))
                .flatExtracting(volley -> volley)
                .filteredOn(strike -> strike.place() == Place.NETWORK)
                .isNotEmpty()
                .allMatch(strike -> REMOTE.contains(strike.process()));
    }

    @Test
    void everyStrayIsDrawnWithARankOfItsKind() {
        Dice dice = new Dice(1, 1, EnumSet.allOf(FaultKind.class), ALL, false);
        List<List<Stray>> drawn =
                Stream.generate(() -> dice.strays(LIVE, 8)).limit(3000).toList();

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
        Dice none = new Dice(1, 1, EnumSet.allOf(FaultKind.class), Set.of(), false);
        Dice twice = new Dice(1, 1, EnumSet.allOf(FaultKind.class), Set.of(Disturbance.STARTED_TWICE), false);
        for (int i = 0; i < 500; i++) {
            assertThat(none.strays(LIVE, 8)).isEmpty();
            assertThat(none.isOutageAlone() || none.isOutageBeside() || none.hasNeighbour())
                    .isFalse();
            assertThat(twice.strays(LIVE, 8)).allMatch(stray -> stray.kind() == Disturbance.STARTED_TWICE);
        }
    }

    private static Dice replacing() {
        return new Dice(1, 1, EnumSet.allOf(FaultKind.class), ALL, true);
    }

    @Test
    void jobThatReplacesRanksHasItsStoreElsewhereAndNoLastVolley() {
        for (int job = 1; job < 50; job++) {
            JobSettings settings = new Dice(3, job, EnumSet.allOf(FaultKind.class), ALL, true).settings(job, 8);
            assertThat(settings.replaces()).isTrue();
            assertThat(settings.hosted()).isFalse();
            assertThat(settings.volleys()).isEqualTo(Integer.MAX_VALUE);
            assertThat(new Dice(3, job, EnumSet.allOf(FaultKind.class), ALL, false)
                            .settings(job, 8)
                            .replaces())
                    .isFalse();
        }
    }

    @Test
    void thoseWhoWaitAreHitOnlyFromOutside() {
        Dice dice = replacing();
        Set<Integer> members = Set.of(0, 1, 2);
        Dice.Targets targets = new Dice.Targets(LIVE, Set.of(0, 1)::contains, members::contains, process -> true, 1);

        List<Strike> drawn = Stream.generate(() -> dice.volley(targets))
                .limit(2000)
                .flatMap(List::stream)
                .toList();

        assertThat(drawn)
                .filteredOn(strike -> !members.contains(strike.process()))
                .isNotEmpty()
                .allMatch(strike -> strike.place().isOutside());
        assertThat(drawn).anyMatch(strike -> strike.delay().toMillis() > 3000);
        assertThat(drawn).noneMatch(strike -> strike.place() == Place.JOINING);
    }

    @Test
    void someProcessesCrashOnTheirWayIntoTheJobAtEachStage() {
        Dice dice = replacing();

        List<Optional<Crash>> drawn = Stream.generate(dice::crash).limit(500).toList();

        assertThat(drawn).contains(Optional.empty());
        assertThat(drawn.stream().flatMap(Optional::stream).map(Crash::after).distinct())
                .containsExactlyInAnyOrder(null, Stage.CONNECTED, Stage.MONITORED);
    }

    @Test
    void collapseKillsAllAndHappensOnlyWhereTheJobCanBeginAnew() {
        Dice dice = replacing();
        Dice shrinking = new Dice(1, 1, EnumSet.allOf(FaultKind.class), ALL, false);
        Dice gentle = new Dice(1, 1, EnumSet.of(FaultKind.EXCEPTION), ALL, true);

        assertThat(dice.collapse(LIVE)).extracting(Strike::process).containsExactlyElementsOf(LIVE);
        assertThat(dice.collapse(LIVE)).allMatch(Strike::isDeadly);
        assertThat(Stream.generate(dice::isCollapse).limit(200)).contains(true, false);
        assertThat(Stream.generate(shrinking::isCollapse).limit(200)).containsOnly(false);
        assertThat(Stream.generate(gentle::isCollapse).limit(200)).containsOnly(false);
    }

    @Test
    void jobThatReplacesRanksRefusesOnlyOtherWorldsAndTakesSecondProcessesIn() {
        Dice dice = replacing();

        assertThat(Stream.generate(() -> dice.strays(LIVE, 8)).limit(500).flatMap(List::stream))
                .isNotEmpty()
                .allMatch(stray -> stray.kind() == Disturbance.OTHER_WORLD);
        assertThat(Stream.generate(() -> dice.hasSecondProcess(0)).limit(200)).contains(true, false);
        assertThat(Stream.generate(() -> dice.hasSecondProcess(2)).limit(200)).containsOnly(false);
    }
}
