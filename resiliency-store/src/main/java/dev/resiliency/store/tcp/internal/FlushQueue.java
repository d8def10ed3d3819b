package dev.resiliency.store.tcp.internal;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * The channels of an event loop that were written to and not flushed. They are flushed once the loop has done what it
 * is at, so that all that a turn of the loop writes to a channel leaves in one piece. The loop owns it.
 *
 * <p>A channel may stand in it several times: to flush it again costs less than to find out. A set, once it has held the
 * 16,384 channels of a barrier, would take as long to clear for one.
 */
final class FlushQueue {
    private final EventLoop loop;
    private List<Channel> written = new ArrayList<>();
    private List<Channel> flushing = new ArrayList<>();

    FlushQueue(EventLoop loop) {
        this.loop = loop;
    }

    void add(Channel channel) {
        assert loop.inEventLoop();
        if (written.isEmpty()) {
            // Runs after all channels that were ready have been read.
            loop.execute(this::flush);
        } else if (written.get(written.size() - 1) == channel) {
            return;
        }
        written.add(channel);
    }

    /** What a flush causes to be written waits for the next. */
    private void flush() {
        List<Channel> channels = written;
        written = flushing;
        flushing = channels;
        channels.forEach(Channel::flush);
        channels.clear();
    }
}
