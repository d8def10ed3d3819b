package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class OutOfMemoryErrorsTest {
    private String info = "# JRE version: 17\n\nHeap:\n garbage-first heap total 8192K\n";
    private final OutOfMemoryErrors errors = new OutOfMemoryErrors(() -> info);

    @Test
    void errorsOfAllKindsAreCountedOnce() {
        assertThat(errors.more()).isZero();

        info += """
            OutOfMemory and StackOverflow Exception counts:
            OutOfMemoryError java_heap_errors=2
            OutOfMemoryError metaspace_errors=1
            StackOverflowErrors=7
            """;

        assertThat(errors.more()).isEqualTo(3);
        assertThat(errors.more()).isZero();
    }

    /** As a pool does with the error of a task. */
    @Test
    void jvmCountsAnErrorThatNobodyHasSeen() {
        OutOfMemoryErrors ofThisProcess = OutOfMemoryErrors.ofThisProcess();
        ofThisProcess.more();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() ->
                            pool.submit(OutOfMemoryErrorsTest::fillTheHeap).get())
                    .withCauseInstanceOf(OutOfMemoryError.class);
        } finally {
            pool.shutdown();
        }

        assertThat(ofThisProcess.more()).isPositive();
    }

    /** Asks for more than there can be at once, so that no other thread of this JVM lacks memory. */
    private static void fillTheHeap() {
        List<long[]> held = new ArrayList<>();
        while (held.size() < 1_000) {
            held.add(new long[Integer.MAX_VALUE - 8]);
        }
    }
}
