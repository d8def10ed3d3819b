package dev.resiliency.state.internal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/** Encrypts what one thread sends and receives on a connection. */
final class TlsLayer {
    /** So many records are sent together, or received: about a chunk. */
    private static final int RECORDS = 16;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Transport transport;
    private final SSLEngine engine;
    /** Records to be sent. */
    private final ByteBuffer outgoing;
    /** Records that have been received, from the position on. */
    private final ByteBuffer incoming;
    /** Text that has been received, from the position on. */
    private final ByteBuffer plain;

    /** The connection below. */
    interface Transport {
        /** Waits for bytes; returns how many have come, negative at the end. */
        int receive(ByteBuffer target) throws IOException;

        /** Sends all bytes. */
        void send(ByteBuffer source) throws IOException;
    }

    TlsLayer(Transport transport, SSLEngine engine) {
        this.transport = transport;
        this.engine = engine;
        int record = engine.getSession().getPacketBufferSize();
        this.outgoing = ByteBuffer.allocateDirect(RECORDS * record);
        this.incoming = ByteBuffer.allocateDirect(RECORDS * record).limit(0);
        this.plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .limit(0);
    }

    void handshake() throws IOException {
        engine.beginHandshake();
        while (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP
                    || engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP_AGAIN) {
                decrypt();
            } else {
                answer();
            }
        }
    }

    /** Does what the engine needs before it goes on, but for receiving. */
    private void answer() throws IOException {
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                        task.run();
                    }
                }
                case NEED_WRAP -> {
                    encrypt(NOTHING.duplicate());
                    flush();
                }
                default -> {
                    return;
                }
            }
        }
    }

    void write(ByteBuffer... buffers) throws IOException {
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining()) {
                encrypt(buffer);
            }
        }
        flush();
    }

    private void encrypt(ByteBuffer source) throws IOException {
        SSLEngineResult result = engine.wrap(source, outgoing);
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
            flush();
        } else if (result.getStatus() == Status.CLOSED) {
            throw new EOFException("the peer has closed the connection");
        }
    }

    private void flush() throws IOException {
        outgoing.flip();
        transport.send(outgoing);
        outgoing.clear();
    }

    /** Fills the buffer. */
    void read(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (plain.hasRemaining()) {
                int count = Math.min(plain.remaining(), target.remaining());
                target.put(plain.slice(plain.position(), count));
                plain.position(plain.position() + count);
            } else if (target.remaining() >= plain.capacity()) {
                decryptTo(target);
            } else {
                decrypt();
            }
        }
    }

    private void decrypt() throws IOException {
        plain.clear();
        try {
            decryptTo(plain);
        } finally {
            plain.flip();
        }
    }

    /** Decrypts a record; waits for it. */
    private void decryptTo(ByteBuffer target) throws IOException {
        SSLEngineResult result = engine.unwrap(incoming, target);
        while (result.getStatus() == Status.BUFFER_UNDERFLOW) {
            incoming.compact();
            int count = transport.receive(incoming);
            incoming.flip();
            if (count < 0) {
                throw new EOFException("the peer has closed the connection");
            }
            result = engine.unwrap(incoming, target);
        }
        if (result.getStatus() != Status.OK) {
            throw new EOFException("the peer has closed the connection: " + result.getStatus());
        }
        answer();
    }
}
