package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.FaultKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiceTest {
    private static final List<Integer> LIVE = List.of(0, 1, 2, 4, 7);
    private static final Set<Integer> ACTIVE = Set.of(1, 2, 4);

    private static List<List<Strike>> volleys(Set<FaultKind> kinds, int count) {
        Dice dice = new Dice(1, 1, kinds);
        return Stream.generate(() -> dice.volley(LIVE, ACTIVE::contains))
                .limit(count)
                .toList();
    }

    @Test
    void sameSeedGivesTheSame() {
        Dice one = new Dice(5, 3, EnumSet.allOf(FaultKind.class));
        Dice other = new Dice(5, 3, EnumSet.allOf(FaultKind.class));

        assertThat(one.settings(3, 8)).isEqualTo(other.settings(3, 8));
        for (int i = 0; i < 20; i++) {
            assertThat(one.volley(LIVE, ACTIVE::contains)).isEqualTo(other.volley(LIVE, ACTIVE::contains));
            assertThat(one.pause()).isEqualTo(other.pause());
        }
        assertThat(new Dice(5, 4, EnumSet.allOf(FaultKind.class)).settings(4, 8))
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
                if (place.allows(kind)) {
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
            assertThat(volley).extracting(Strike::rank).doesNotHaveDuplicates().isSubsetOf(LIVE);
            assertThat(volley.stream().filter(Strike::isDeadly)).hasSizeLessThanOrEqualTo(LIVE.size() - 2);
            assertThat(volley.stream().filter(strike -> strike.place() == Place.STEP))
                    .allMatch(strike -> ACTIVE.contains(strike.rank()));
        });
    }

    @Test
    void onlyRequestedKindsAreDrawn() {
        assertThat(volleys(EnumSet.of(FaultKind.SIGKILL), 100))
                .flatExtracting(volley -> volley)
                .isNotEmpty()
                .allMatch(strike -> strike.kind() == FaultKind.SIGKILL);
    }
}
