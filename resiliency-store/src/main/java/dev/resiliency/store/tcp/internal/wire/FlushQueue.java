package dev.resiliency.store.tcp.internal.wire;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * The writers on an event loop with unflushed data. They are flushed at the end of the loop's turn, so that everything
 * that a turn writes to a connection is sent in one piece. The loop owns it.
 *
 * <p>When very many have written in one turn, they are flushed before it ends: the first need not wait for the last,
 * and the state of a connection is still in the processor's cache.
 *
 * <p>A writer may be queued several times: flushing again costs less than checking. A set that has once held the 16,384
 * connections of a barrier would take as long to clear for a single one.
 */
public final class FlushQueue {
    static final int MANY = 64;

    private final EventLoop loop;
    private List<Writer> written = new ArrayList<>();
    private List<Writer> flushing = new ArrayList<>();
    private boolean isScheduled;
    private boolean isFlushing;

    /** Writes to a connection. */
    public interface Writer {
        /** Sends the written data. */
        void flush();
    }

    public FlushQueue(EventLoop loop) {
        this.loop = loop;
    }

    public void add(Writer writer) {
        assert loop.inEventLoop();
        if (!written.isEmpty() && written.get(written.size() - 1) == writer) {
            return;
        }
        written.add(writer);
        if (written.size() >= MANY && !isFlushing) {
            flush();
        } else if (!isScheduled) {
            isScheduled = true;
            loop.execute(this::endTurn); // runs after all channels that were ready have been read
        }
    }

    private void endTurn() {
        isScheduled = false;
        flush();
    }

    /** Flushes the queued writers. What this causes to be written waits for the next flush. */
    private void flush() {
        isFlushing = true;
        List<Writer> writers = written;
        written = flushing;
        flushing = writers;
        writers.forEach(Writer::flush);
        writers.clear();
        isFlushing = false;
    }
}
