package dev.resiliency.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexSetTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void behavesLikeABitSet(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            BitSet left = bits(random);
            BitSet right = bits(random);
            IndexSet set = set(random, left);
            IndexSet other = set(random, right);
            check(set, left);
            BitSet both = (BitSet) left.clone();
            both.or(right);
            check(set.union(other), both);
            BitSet rest = (BitSet) left.clone();
            rest.andNot(right);
            check(set.minus(other), rest);
            BitSet shared = (BitSet) left.clone();
            shared.and(right);
            check(set.intersection(other), shared);
            assertThat(set.intersects(other)).isEqualTo(left.intersects(right));
            assertThat(set.containsAll(other)).isEqualTo(both.equals(left));
            assertThat(set.equals(other)).isEqualTo(left.equals(right));
        }
    }

    private static BitSet bits(Random random) {
        BitSet bits = new BitSet();
        int runs = random.nextInt(5);
        for (int run = 0; run < runs; run++) {
            int first = random.nextInt(200);
            bits.set(first, first + random.nextInt(30));
        }
        return bits;
    }

    private static IndexSet set(Random random, BitSet bits) {
        return random.nextBoolean()
                ? IndexSet.copyOf(bits)
                : IndexSet.of(bits.stream().toArray());
    }

    private static void check(IndexSet set, BitSet bits) {
        assertThat(set.toBitSet()).isEqualTo(bits);
        assertThat(set).isEqualTo(IndexSet.copyOf(bits)).hasSameHashCodeAs(IndexSet.copyOf(bits));
        assertThat(set.stream().toArray()).isEqualTo(bits.stream().toArray());
        List<Integer> members = new ArrayList<>();
        set.forEach(members::add);
        assertThat(members).isEqualTo(bits.stream().boxed().toList());
        assertThat(set.size()).isEqualTo(bits.cardinality());
        assertThat(set.isEmpty()).isEqualTo(bits.isEmpty());
        assertThat(set.lowest()).isEqualTo(bits.nextSetBit(0));
        assertThat(set.highest()).isEqualTo(bits.length() - 1);
        for (int member = 0; member < 240; member++) {
            assertThat(set.contains(member)).isEqualTo(bits.get(member));
        }
        assertThat(set.contains(-1)).isFalse();
        assertThat(set.contains(Integer.MIN_VALUE)).isFalse();
    }

    @Test
    void runsThatTouchOrOverlapAreMerged() {
        IndexSet set = IndexSet.ofRuns(0, 4, 4, 6, 5, 6, 8, 8, 9, 10);

        assertThat(set).isEqualTo(IndexSet.of(9, 5, 4, 3, 2, 1, 0, 0)).hasToString("{0-5, 9}");
        assertThat(set.runs()).isEqualTo(2);
        assertThat(set.first(1)).isEqualTo(9);
        assertThat(set.end(1)).isEqualTo(10);
    }

    @Test
    void printsRanges() {
        assertThat(IndexSet.empty()).hasToString("{}");
        assertThat(IndexSet.of(115, 3, 1, 2, 0, 8, 10, 11)).hasToString("{0-3, 8, 10, 11, 115}");
    }

    @Test
    void invalidRunsAreRejected() {
        assertThatThrownBy(() -> IndexSet.of(3, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> IndexSet.of(Integer.MAX_VALUE)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> IndexSet.range(-1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> IndexSet.range(3, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> IndexSet.ofRuns(5, 6, 0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
