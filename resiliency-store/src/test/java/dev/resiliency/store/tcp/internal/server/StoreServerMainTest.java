package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreServerMainTest {
    private static final long MEBIBYTE = 1 << 20;

    @Test
    void heapThatIsTooSmallForTheStoreIsNamedWithTheOneThatSuffices() {
        assertThat(StoreServerMain.heapAdvice(124 * MEBIBYTE, 128 * MEBIBYTE))
                .isEqualTo("a heap of 124 MiB is too small for a store of 128 MiB; start java with -Xmx256m, or set a"
                        + " smaller --max-total-bytes");
    }

    @Test
    void heapThatFollowsTheAdviceIsLargeEnough() {
        // What the JVM reports with -Xmx256m, and with -Xmx1g -Xmn640m, which leaves a larger survivor space out.
        assertThat(StoreServerMain.heapAdvice(247 * MEBIBYTE + MEBIBYTE / 2, 128 * MEBIBYTE))
                .isNull();
        assertThat(StoreServerMain.heapAdvice(960 * MEBIBYTE, 512 * MEBIBYTE)).isNull();
    }
}
