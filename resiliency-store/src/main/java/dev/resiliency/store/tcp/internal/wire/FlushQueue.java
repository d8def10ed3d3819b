package dev.resiliency.store.tcp.internal.wire;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * Who wrote something on an event loop that was not flushed. It is flushed once the loop has done what it is at, so that
 * all that a turn of the loop writes to a connection leaves in one piece. The loop owns it.
 *
 * <p>When very many have written in one turn, they are flushed before it ends: the first need not wait for the last, and
 * what belongs to a connection is still in the processor's cache.
 *
 * <p>Somebody may stand in it several times: to flush again costs less than to find out. A set, once it has held the
 * 16,384 connections of a barrier, would take as long to clear for one.
 */
public final class FlushQueue {
    static final int MANY = 64;

    private final EventLoop loop;
    private List<Writer> written = new ArrayList<>();
    private List<Writer> flushing = new ArrayList<>();
    private boolean isScheduled;
    private boolean isFlushing;

    /** One that writes to a connection. */
    public interface Writer {
        /** Sends what it has written. */
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

    /** What a flush causes to be written waits for the next. */
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
