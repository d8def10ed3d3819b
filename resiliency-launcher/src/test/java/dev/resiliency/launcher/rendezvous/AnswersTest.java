package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private final Queue<Runnable> thread = new ArrayDeque<>();
    private final Answers answers = new Answers(thread::add, mock(NodeListener.class));

    @Test
    void whatAConsumerThrowsReachesTheThreadOfTheAgent() {
        CompletableFuture<String> answer = CompletableFuture.completedFuture("defect");
        answers.then(answer, result -> {
            throw new IllegalStateException(result);
        });
        answers.whenDone(answer, (result, failure) -> {
            throw new IllegalArgumentException(result);
        });

        assertThatThrownBy(thread.remove()::run).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(thread.remove()::run).isInstanceOf(IllegalArgumentException.class);
    }
}
