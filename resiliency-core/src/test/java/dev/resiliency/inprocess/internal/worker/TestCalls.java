package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.store.spi.InMemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Creates calls of a job of one rank. */
public final class TestCalls {
    private TestCalls() {}

    public static IterationCall inIteration(int iteration) {
        return inIteration(iteration, new Waker());
    }

    public static IterationCall inIteration(int iteration, Waker waker) {
        return inIteration(iteration, waker, () -> CompletableFuture.completedFuture(true));
    }

    /** Lets the function begin. */
    public static void begin(IterationCall call) {
        call.begin(IterationCall.FUNCTION);
    }

    static IterationCall inIteration(int iteration, Waker waker, Supplier<CompletableFuture<Boolean>> membership) {
        return new IterationCall(
                new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, iteration),
                new WorldEvent.Started(0, 1),
                InMemoryStore.create(),
                membership,
                waker,
                reason -> {},
                new KeptObjects());
    }
}
