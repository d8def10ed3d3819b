package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AgentThreadTest {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final AgentThread thread = new AgentThread(tasks::add, mock(NodeListener.class));

    @Test
    void whatAConsumerThrowsReachesTheThreadOfTheAgent() {
        CompletableFuture<String> answer = CompletableFuture.completedFuture("defect");
        thread.then(answer, result -> {
            throw new IllegalStateException(result);
        });
        thread.whenDone(answer, (result, failure) -> {
            throw new IllegalArgumentException(result);
        });

        assertThatThrownBy(tasks.remove()::run).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(tasks.remove()::run).isInstanceOf(IllegalArgumentException.class);
    }
}
