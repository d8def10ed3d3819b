package dev.resiliency.examples.bench.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One client: its socket, and where it stands in a conversation, which is a step after another. */
public final class Connection {
    private static final long UNKNOWN = -1;

    private final int index;
    private final SocketChannel channel;
    private final ByteBuffer head;
    private @Nullable Step step; // whose answer is awaited
    private long restBytes; // of the answer; unknown until its head is complete
    private long value;

    Connection(int index, SocketChannel channel, ByteOrder order) {
        this.index = index;
        this.channel = channel;
        this.head = ByteBuffer.allocate(Answer.MAX_HEAD_BYTES).order(order);
    }

    /** Its place among the connections of its swarm. */
    int index() {
        return index;
    }

    SocketChannel channel() {
        return channel;
    }

    /** What the last answer said. */
    long value() {
        return value;
    }

    /** Goes on to this step; returns whether nothing is to be awaited, and the conversation over. */
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
            throw new IOException("the server does not read what it is sent");
        }
    }

    /** Takes what the server has sent; returns whether the conversation is over with that. */
    boolean take(ByteBuffer in) throws IOException {
        boolean isOver = false;
        while (in.hasRemaining()) {
            Step current = step;
            if (current == null) {
                throw new IOException("the server has sent %d bytes unasked".formatted(in.remaining()));
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

    private void readHead(ByteBuffer in, Answer answer) {
        while (head.hasRemaining() && in.hasRemaining()) {
            head.put(in.get());
        }
        if (!head.hasRemaining()) {
            restBytes = answer.restBytes().applyAsLong(head);
        }
    }
}
