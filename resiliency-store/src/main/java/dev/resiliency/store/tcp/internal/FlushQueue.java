package dev.resiliency.store.tcp.internal;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The channels of an event loop that were written to and not flushed. They are flushed once the loop has done what it
 * is at, so that all that a turn of the loop writes to a channel leaves in one piece. The loop owns it.
 */
final class FlushQueue {
    private final EventLoop loop;
    private final Set<Channel> written = new LinkedHashSet<>();

    FlushQueue(EventLoop loop) {
        this.loop = loop;
    }

    void add(Channel channel) {
        assert loop.inEventLoop();
        if (written.isEmpty()) {
            // Runs after all channels that were ready have been read.
            loop.execute(this::flush);
        }
        written.add(channel);
    }

    private void flush() {
        List<Channel> channels = List.copyOf(written);
        written.clear();
        channels.forEach(Channel::flush);
    }
}
