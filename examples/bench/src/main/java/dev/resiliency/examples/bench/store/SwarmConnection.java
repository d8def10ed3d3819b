package dev.resiliency.examples.bench.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One client: its socket, and its current step of a conversation. */
public final class SwarmConnection {
    private static final long UNKNOWN = -1;

    private final int index;
    private final SocketChannel channel;
    private final ByteBuffer head;
    private @Nullable Step step; // the step whose answer is awaited
    private long restBytes; // of the answer; unknown until its head is complete
    private long value;

    SwarmConnection(int index, SocketChannel channel, ByteOrder order) {
        this.index = index;
        this.channel = channel;
        this.head = ByteBuffer.allocate(WireAnswer.MAX_HEAD_BYTES).order(order);
    }

    /** Returns its index among the connections of its swarm. */
    int index() {
        return index;
    }

    SocketChannel channel() {
        return channel;
    }

    /** Returns the value of the last answer. */
    long value() {
        return value;
    }

    /** Starts this step; returns whether the conversation is over, without an answer to await. */
    boolean enter(@Nullable Step first) throws IOException {
        for (Step next = first; next != null; next = next.next().apply(0)) {
            write(next.request());
            int headBytes = next.answer().headBytes();
            if (headBytes > 0) {
                step = next;
                restBytes = UNKNOWN;
                head.clear().limit(headBytes);
                return false;
            }
        }
        step = null;
        return true;
    }

    private void write(ByteBuffer request) throws IOException {
        if (request.hasRemaining() && channel.write(request.duplicate()) < request.remaining()) {
            throw new IOException("the server does not read its input");
        }
    }

    /** Handles received bytes; returns whether the conversation is over. */
    boolean take(ByteBuffer in) throws IOException {
        boolean isOver = false;
        while (in.hasRemaining()) {
            Step current = step;
            if (current == null) {
                throw new IOException("the server sent %d unexpected bytes".formatted(in.remaining()));
            }
            if (restBytes == UNKNOWN) {
                readHead(in, current.answer());
            }
            if (restBytes != UNKNOWN) {
                int skipped = (int) Math.min(restBytes, in.remaining());
                in.position(in.position() + skipped);
                restBytes -= skipped;
            }
            if (restBytes == 0) {
                value = current.answer().value().applyAsLong(head);
                isOver = enter(current.next().apply(value));
            }
        }
        return isOver;
    }

    private void readHead(ByteBuffer in, WireAnswer answer) {
        while (head.hasRemaining() && in.hasRemaining()) {
            head.put(in.get());
        }
        if (!head.hasRemaining()) {
            restBytes = answer.restBytes().applyAsLong(head);
        }
    }
}
