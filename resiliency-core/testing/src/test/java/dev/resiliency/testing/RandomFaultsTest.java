package dev.resiliency.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.testing.Fault.AtStep;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomFaultsTest {
    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

    @Test
    void sameSeedDrawsTheSameFaults() {
        assertThat(new RandomFaults(7, 3, ALL, 8, 1, 1000).draw())
                .isEqualTo(new RandomFaults(7, 3, ALL, 8, 1, 1000).draw())
                .hasToString("[blocked-native:7@535, sigterm:6@650, sigstop:2@713]");
    }

    @Test
    void anotherSeedDrawsOthers() {
        Set<List<Fault>> drawn = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            drawn.add(new RandomFaults(seed, 3, ALL, 8, 1, 1000).draw());
        }
        assertThat(drawn).hasSizeGreaterThan(95);
    }

    @Test
    void faultsHitDifferentRanksAndSpareTheLowest() {
        for (long seed = 0; seed < 200; seed++) {
            List<Fault> faults = new RandomFaults(seed, 6, ALL, 8, 2, 10).draw();

            assertThat(faults).extracting(Fault::rank).containsExactlyInAnyOrder(2, 3, 4, 5, 6, 7);
            assertThat(faults)
                    .extracting(fault -> ((AtStep) fault.moment()).step())
                    .isSorted()
                    .allMatch(step -> step >= 1 && step <= 10);
        }
    }

    @Test
    void everyKindRankAndStepIsDrawnSometimes() {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        Set<Integer> ranks = new HashSet<>();
        Set<Fault.Moment> moments = new HashSet<>();
        for (long seed = 0; seed < 1000; seed++) {
            Fault fault = new RandomFaults(seed, 1, ALL, 4, 0, 3).draw().get(0);
            kinds.add(fault.kind());
            ranks.add(fault.rank());
            moments.add(fault.moment());
        }
        assertThat(kinds).isEqualTo(ALL);
        assertThat(ranks).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(moments).containsExactlyInAnyOrder(new AtStep(1), new AtStep(2), new AtStep(3));
    }

    @Test
    void moreFaultsThanRanksAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomFaults(1, 4, ALL, 4, 1, 10))
                .withMessage("4 faults cannot hit 4 ranks of which 1 are spared: each fault needs a rank of its own");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomFaults(1, 1, Set.of(), 4, 1, 10))
                .withMessage("there is no kind of fault to choose from");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomFaults(1, 1, ALL, 4, 1, 0))
                .withMessage("steps is 0: it must be at least 1");
    }
}
