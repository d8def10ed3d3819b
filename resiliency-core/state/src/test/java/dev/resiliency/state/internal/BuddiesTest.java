package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BuddiesTest {
    @Test
    void buddyIsOnAnotherHost() {
        assertThat(Buddies.of(List.of("a", "a", "b", "b", "c"))).containsExactly(2, 3, 4, 0, 1);
    }

    @Test
    void onOneHostTheNextRankIsTheBuddy() {
        assertThat(Buddies.of(List.of("a", "a", "a"))).containsExactly(1, 2, 0);
    }

    @Test
    void whereOneHostHasMostRanksTheOthersKeepSeveralCopies() {
        assertThat(Buddies.of(List.of("a", "a", "b", "a"))).containsExactly(2, 2, 0, 2);
    }

    @Test
    void copiesAreOnOtherHostsAndSpreadEvenlyWhateverTheHosts() {
        Random random = new Random(3);
        for (int round = 0; round < 5_000; round++) {
            List<String> hosts = IntStream.range(0, 2 + random.nextInt(12))
                    .mapToObj(rank -> "host" + random.nextInt(4))
                    .toList();
            int largest = hosts.stream()
                    .mapToInt(host -> Collections.frequency(hosts, host))
                    .max()
                    .orElseThrow();

            int[] buddies = Buddies.of(hosts);

            for (int rank = 0; rank < buddies.length; rank++) {
                assertThat(buddies[rank]).isNotEqualTo(rank);
                if (largest < hosts.size()) {
                    assertThat(hosts.get(buddies[rank])).isNotEqualTo(hosts.get(rank));
                }
            }
            int most = IntStream.of(buddies)
                    .map(buddy -> (int)
                            Arrays.stream(buddies).filter(each -> each == buddy).count())
                    .max()
                    .orElseThrow();
            int others = hosts.size() - largest;
            assertThat(most).isLessThanOrEqualTo(others == 0 ? 1 : Math.max(1, (largest + others - 1) / others));
        }
    }
}
