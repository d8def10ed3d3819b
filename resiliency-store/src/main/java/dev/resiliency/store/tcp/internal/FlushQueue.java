package dev.resiliency.store.tcp.internal;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * Who wrote something on an event loop that was not flushed. It is flushed once the loop has done what it is at, so that
 * all that a turn of the loop writes to a connection leaves in one piece. The loop owns it.
 *
 * <p>Somebody may stand in it several times: to flush again costs less than to find out. A set, once it has held the
 * 16,384 connections of a barrier, would take as long to clear for one.
 */
final class FlushQueue {
    private final EventLoop loop;
    private List<Writer> written = new ArrayList<>();
    private List<Writer> flushing = new ArrayList<>();

    /** One that writes to a connection. */
    interface Writer {
        /** Sends what it has written. */
        void flush();
    }

    FlushQueue(EventLoop loop) {
        this.loop = loop;
    }

    void add(Writer writer) {
        assert loop.inEventLoop();
        if (written.isEmpty()) {
            // Runs after all channels that were ready have been read.
            loop.execute(this::flush);
        } else if (written.get(written.size() - 1) == writer) {
            return;
        }
        written.add(writer);
    }

    /** What a flush causes to be written waits for the next. */
    private void flush() {
        List<Writer> writers = written;
        written = flushing;
        flushing = writers;
        writers.forEach(Writer::flush);
        writers.clear();
    }
}
