package dev.resiliency.inprocess.internal.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.Channels;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The two directions of a connection, each for one thread at a time. The channel does not block, since an interrupt closes one
 * that does: a rank whose caller is interrupted could not say goodbye.
 */
final class SocketStreams implements AutoCloseable {
    /** How long the other side may take nothing. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final long PAUSE = Duration.ofMillis(1).toNanos();

    private final SocketChannel channel;
    private final Selector selector;
    private final InputStream input = Channels.newInputStream(new Reading());
    private final OutputStream output = Channels.newOutputStream(new Writing());

    private SocketStreams(SocketChannel channel, Selector selector) {
        this.channel = channel;
        this.selector = selector;
    }

    /** Takes over a connection, which is closed if that fails. */
    static SocketStreams of(SocketChannel channel) throws IOException {
        try {
            channel.configureBlocking(false);
            Selector selector = channel.provider().openSelector();
            channel.register(selector, SelectionKey.OP_READ);
            return new SocketStreams(channel, selector);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    InputStream input() {
        return input;
    }

    OutputStream output() {
        return output;
    }

    /** Lets the other side read the end of the stream. */
    void closeOutput() throws IOException {
        channel.shutdownOutput();
    }

    /** Ends all reading and writing. */
    @Override
    public void close() {
        try (channel;
                selector) {
            // Closing the selector wakes the reader.
        } catch (IOException e) {
            // Nothing more is read or written, anyway.
        }
    }

    private abstract class Direction implements Channel {
        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() {
            SocketStreams.this.close();
        }
    }

    private final class Reading extends Direction implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer target) throws IOException {
            int count = channel.read(target);
            while (count == 0) {
                awaitInput();
                count = channel.read(target);
            }
            return count;
        }

        private void awaitInput() throws IOException {
            if (Thread.currentThread().isInterrupted()) { // and would not wait
                throw new InterruptedIOException("interrupted while it reads");
            }
            try {
                selector.select(key -> {});
            } catch (ClosedSelectorException e) {
                throw new AsynchronousCloseException();
            }
        }
    }

    private final class Writing extends Direction implements WritableByteChannel {
        @Override
        public int write(ByteBuffer source) throws IOException {
            int count = source.remaining();
            long last = System.nanoTime();
            while (source.hasRemaining()) {
                if (channel.write(source) > 0) {
                    last = System.nanoTime();
                } else if (System.nanoTime() - last < LIMIT.toNanos()) {
                    LockSupport.parkNanos(PAUSE);
                } else {
                    throw new IOException("the other side has read nothing for " + LIMIT.toSeconds() + " s");
                }
            }
            return count;
        }
    }
}
