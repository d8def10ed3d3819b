package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RepeatedRequestTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final FakeClock clock = new FakeClock();
    private final TerminatedRanks terminated = new TerminatedRanks(grown -> {});
    private final LoopContext<?> context = mock(LoopContext.class);
    private final Deque<CompletableFuture<String>> sent = new ArrayDeque<>();

    @BeforeEach
    void share() {
        when(context.terminated()).thenReturn(terminated);
        when(context.waker()).thenReturn(new Waker());
        when(context.startStopwatch()).then(call -> new Stopwatch(clock));
    }

    private CompletableFuture<String> send() {
        sent.add(new CompletableFuture<>());
        return sent.getLast();
    }

    private void lose(int rank) {
        terminated.accept(new Change.Joined("terminated", IndexSet.of(rank)));
    }

    @Test
    void answerIsReturnedOnceAndTheRequestRepeatedAfterALoss() {
        RepeatedRequest<String> request = RepeatedRequest.onLoss(context, this::send);
        assertThat(request.step()).isNull();
        assertThat(request.step()).isNull();
        sent.getLast().complete("first");
        assertThat(request.step()).isEqualTo("first");
        assertThat(request.step()).isNull();
        clock.advance(INTERVAL);
        assertThat(request.step()).isNull();
        assertThat(sent).hasSize(1);

        lose(3);
        assertThat(request.step()).isNull();
        sent.getLast().complete("second");

        assertThat(request.step()).isEqualTo("second");
        assertThat(sent).hasSize(2);
    }

    @Test
    void lossWhileTheAnswerIsOutstandingRepeatsTheRequest() {
        RepeatedRequest<String> request = RepeatedRequest.onLoss(context, this::send);
        request.step();
        lose(3);
        assertThat(request.step()).isNull();
        assertThat(sent).as("one request at a time").hasSize(1);

        sent.getLast().complete("without knowledge of the loss");

        assertThat(request.step()).isEqualTo("without knowledge of the loss");
        assertThat(sent).hasSize(2);
    }

    @Test
    void requestIsRepeatedAfterItsIntervalAsWell() {
        RepeatedRequest<String> request = RepeatedRequest.onLossOrAfter(INTERVAL, context, this::send);
        request.step();
        sent.getLast().complete("first");
        assertThat(request.step()).isEqualTo("first");

        clock.advance(INTERVAL.minusNanos(1));
        request.step();
        assertThat(sent).hasSize(1);
        clock.advance(Duration.ofNanos(1));
        request.step();

        assertThat(sent).hasSize(2);
    }

    @Test
    void failureOfTheRequestIsThrown() {
        RepeatedRequest<String> request = RepeatedRequest.onLoss(context, this::send);
        request.step();
        sent.getLast().completeExceptionally(new IllegalStateException("the store is gone"));

        assertThatThrownBy(request::step).hasMessage("the store is gone");
    }
}
