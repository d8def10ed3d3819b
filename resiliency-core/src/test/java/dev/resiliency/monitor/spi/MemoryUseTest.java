package dev.resiliency.monitor.spi;

import static dev.resiliency.monitor.spi.MemoryUse.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemoryUseTest {

    @Test
    void numberHoldsAllOfIt() {
        for (MemoryUse use : new MemoryUse[] {
            MemoryUse.NONE,
            new MemoryUse(0, 0, 0, false),
            new MemoryUse(100, Integer.MAX_VALUE - 1, 100, false),
            new MemoryUse(98, 12, UNKNOWN, false),
            new MemoryUse(UNKNOWN, UNKNOWN, 61, false),
            new MemoryUse(UNKNOWN, UNKNOWN, UNKNOWN, true),
            new MemoryUse(100, Integer.MAX_VALUE - 1, 100, true)
        }) {
            assertThat(MemoryUse.ofLong(use.toLong())).isEqualTo(use);
        }
        assertThat(MemoryUse.NONE.toLong()).isZero();
    }

    @Test
    void numberThatNoProcessHasWrittenIsNoMoreThanAll() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            MemoryUse use = MemoryUse.ofLong(random.nextLong());

            assertThat(use.heap()).isBetween(UNKNOWN, 100);
            assertThat(use.container()).isBetween(UNKNOWN, 100);
            assertThat(use.direct()).isGreaterThanOrEqualTo(UNKNOWN);
        }
    }

    @Test
    void textSaysWhatIsKnown() {
        assertThat(new MemoryUse(98, 12, 61, false))
                .hasToString("heap 98 % after collection, 12 MiB in direct buffers, container 61 %");
        assertThat(new MemoryUse(UNKNOWN, UNKNOWN, 61, false)).hasToString("container 61 %");
        assertThat(MemoryUse.NONE).asString().isEmpty();
    }

    @Test
    void onlyScarceMemoryIsWorthAWord() {
        assertThat(new MemoryUse(79, 4_000, 79, false).remark()).isEmpty();
        assertThat(new MemoryUse(80, 0, UNKNOWN, false).remark())
                .isEqualTo("; heap 80 % after collection, 0 MiB in direct buffers");
        assertThat(new MemoryUse(5, 0, 99, false).remark()).endsWith("container 99 %");
        assertThat(new MemoryUse(5, 0, UNKNOWN, true).remark())
                .isEqualTo("; a thread has died as memory ran out, heap 5 % after collection, 0 MiB in direct buffers");
        assertThat(MemoryUse.NONE.remark()).isEmpty();
    }
}
