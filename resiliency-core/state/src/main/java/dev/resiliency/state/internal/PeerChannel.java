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
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * A connection to another rank, used by one thread. Each call waits for the peer, for a limited time without a single
 * byte; {@link #close}, by any thread, ends it. Plain blocking channels know no such limit.
 */
final class PeerChannel implements Closeable {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final Duration limit;
    /** Null as long as nothing is encrypted. Confined to the thread that uses the connection. */
    private @Nullable TlsLayer tls;

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

    /** Encrypts the connection from here on. */
    void encrypt(SSLEngine engine) throws IOException {
        TlsLayer layer = new TlsLayer(
                new TlsLayer.Transport() {
                    @Override
                    public int receive(ByteBuffer target) throws IOException {
                        return receiveSome(target);
                    }

                    @Override
                    public void send(ByteBuffer source) throws IOException {
                        sendAll(source);
                    }
                },
                engine);
        layer.handshake();
        tls = layer;
    }

    /** Fills the buffer. */
    void read(ByteBuffer target) throws IOException {
        if (tls != null) {
            tls.read(target);
            return;
        }
        while (target.hasRemaining()) {
            if (receiveSome(target) < 0) {
                throw new EOFException("the peer has closed the connection");
            }
        }
    }

    private int receiveSome(ByteBuffer target) throws IOException {
        int count = channel.read(target);
        while (count == 0) {
            await(OP_READ);
            count = channel.read(target);
        }
        return count;
    }

    /** Returns a buffer with the next bytes. */
    ByteBuffer read(int bytes) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(bytes);
        read(target);
        return target.flip();
    }

    /** Sends the buffers entirely. */
    void write(ByteBuffer... buffers) throws IOException {
        if (tls != null) {
            tls.write(buffers);
        } else {
            sendAll(buffers);
        }
    }

    private void sendAll(ByteBuffer... buffers) throws IOException {
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
