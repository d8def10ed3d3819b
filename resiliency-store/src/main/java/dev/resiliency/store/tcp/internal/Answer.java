package dev.resiliency.store.tcp.internal;

import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The answer to a request. The event loop that would bring it must not wait for it: it refuses, where it would hang. */
final class Answer extends CompletableFuture<List<@Nullable Object>> {
    private final EventLoop loop;

    Answer(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public List<@Nullable Object> get() throws InterruptedException, ExecutionException {
        checkThread();
        return super.get();
    }

    @Override
    public List<@Nullable Object> get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        checkThread();
        return super.get(timeout, unit);
    }

    @Override
    public List<@Nullable Object> join() {
        checkThread();
        return super.join();
    }

    private void checkThread() {
        if (!isDone() && loop.inEventLoop()) {
            throw new IllegalStateException("a listener may not wait for the store, on whose own thread it is called:"
                    + " use submit or send, or another thread");
        }
    }
}
