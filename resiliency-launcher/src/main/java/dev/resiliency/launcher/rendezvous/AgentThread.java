package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.Value;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings what the store says to the thread of the agent. A failure of the store ends the agent, unless it is leaving; what a consumer
 * throws reaches the thread, as from any other task. Confined to that thread itself.
 */
final class AgentThread {
    private final Executor agent;
    private final NodeListener listener;
    private boolean isLeaving;

    /** Creates the way to a thread, on which the executor runs a task later. */
    AgentThread(Executor agent, NodeListener listener) {
        this.agent = agent;
        this.listener = listener;
    }

    /** From now on, the agent does not need the store any more. */
    void leave() {
        isLeaving = true;
    }

    /** Calls the consumer with the result, later. */
    @SuppressWarnings("FutureReturnValueIgnored") // what happens is reported to the listener
    <T> void then(CompletableFuture<T> future, Consumer<? super T> consumer) {
        whenDone(future, (result, failure) -> {
            if (failure == null) {
                consumer.accept(result);
            } else {
                failed("the store failed: ", failure);
            }
        });
    }

    /** Calls the consumer with the result or the failure, later. */
    @SuppressWarnings("FutureReturnValueIgnored") // the consumer handles both
    <T> void whenDone(
            CompletableFuture<T> future, BiConsumer<? super @Nullable T, ? super @Nullable Throwable> consumer) {
        future.whenComplete((result, failure) -> agent.execute(() -> consumer.accept(result, failure)));
    }

    /** Ends the agent, as the store has failed, unless it is leaving. */
    void failed(String what, Throwable failure) {
        String reason = what + failure.getMessage();
        if (failure instanceof SessionExpiredException) {
            cutOff(reason);
        } else if (!isLeaving) {
            listener.lost(reason);
        }
    }

    /** Ends the agent, as the store takes it for dead, unless it is leaving. */
    void cutOff(String reason) {
        if (!isLeaving) {
            listener.cutOff(reason);
        }
    }

    /** Runs a task on the thread of the agent. May be called by any thread. */
    void later(Runnable task) {
        agent.execute(task);
    }

    /** Returns a watcher of a key that receives each value but the empty one. */
    Consumer<Change> values(Consumer<Value> handler) {
        return change -> later(() -> {
            if (change instanceof Change.Written written && written.value().size() > 0) {
                handler.accept(written.value());
            }
        });
    }

    /** Returns a watcher of a set that receives its new members. */
    Consumer<Change> members(Consumer<IndexSet> handler) {
        return change -> later(() -> {
            if (change instanceof Change.Joined joined) {
                handler.accept(joined.members());
            }
        });
    }
}
