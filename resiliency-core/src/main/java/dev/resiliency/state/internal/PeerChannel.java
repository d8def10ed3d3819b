package dev.resiliency.state.internal;

import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * A connection to another rank, used by one thread. Each call waits for the peer, for a limited time without a single
 * byte; {@link #close}, by any thread, ends it. Plain blocking channels know no such limit.
 */
final class PeerChannel implements Closeable {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final Duration limit;

    private PeerChannel(SocketChannel channel, Selector selector, Duration limit) throws IOException {
        this.channel = channel;
        this.selector = selector;
        this.limit = limit;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        key = channel.register(selector, 0);
    }

    /**
     * Takes over a socket; closes it if that fails.
     *
     * @param limit how long the peer may be silent, or not read
     */
    static PeerChannel of(SocketChannel channel, Duration limit) throws IOException {
        Selector selector = null;
        try {
            selector = Selector.open();
            return new PeerChannel(channel, selector, limit);
        } catch (IOException e) {
            channel.close();
            if (selector != null) {
                selector.close();
            }
            throw e;
        }
    }

    void connect(InetSocketAddress address) throws IOException {
        if (!channel.connect(address)) {
            while (!channel.finishConnect()) {
                await(OP_CONNECT);
            }
        }
    }

    /** Fills the buffer. */
    void read(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            int count = channel.read(target);
            if (count < 0) {
                throw new EOFException("the peer has closed the connection");
            }
            if (count == 0) {
                await(OP_READ);
            }
        }
    }

    /** Returns a buffer with the next bytes. */
    ByteBuffer read(int bytes) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(bytes);
        read(target);
        return target.flip();
    }

    /** Sends the buffers entirely. */
    void write(ByteBuffer... buffers) throws IOException {
        while (buffers[buffers.length - 1].hasRemaining()) {
            if (channel.write(buffers) == 0) {
                await(OP_WRITE);
            }
        }
    }

    private void await(int operation) throws IOException {
        try {
            key.interestOps(operation);
            if (selector.select(limit.toMillis()) == 0
                    && channel.isOpen()
                    && !Thread.currentThread().isInterrupted()) {
                throw new SocketTimeoutException("the peer has not answered for " + limit.toSeconds() + " s");
            }
            selector.selectedKeys().clear();
        } catch (ClosedSelectorException | CancelledKeyException closed) {
            ClosedChannelException known = new ClosedChannelException();
            known.initCause(closed);
            throw known;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            selector.close();
        }
    }

    @Override
    public String toString() {
        return channel.toString();
    }
}
