package dev.resiliency.inprocess.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StartNoticeTest {
    @Test
    @SuppressWarnings("try") // the notice only needs to be closed
    void placeOfAStartThatTakesLongIsSaidMoreAndMoreRarely() throws Exception {
        BlockingQueue<String> said = new ArrayBlockingQueue<>(3);
        CountDownLatch enough = new CountDownLatch(3);

        try (StartNotice notice = StartNotice.begin(Duration.ofMillis(5), (waited, place) -> {
            said.offer(waited.toMillis() + " at " + place);
            enough.countDown();
        })) {
            enough.await();
        }

        assertThat(said)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("5 at StartNoticeTest.placeOfAStart"),
                        second -> assertThat(second).startsWith("10 at StartNoticeTest.placeOfAStart"),
                        third -> assertThat(third).startsWith("20 at StartNoticeTest.placeOfAStart"));
    }
}
