package dev.resiliency.examples.bench.store;

import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/**
 * What a server answers with: a head of a fixed size, and a rest, which is read over.
 *
 * @param headBytes at most {@link #MAX_HEAD_BYTES}
 * @param restBytes how long the rest is, from the head
 * @param value what the answer says, from the head
 */
public record Answer(int headBytes, ToLongFunction<ByteBuffer> restBytes, ToLongFunction<ByteBuffer> value) {
    static final int MAX_HEAD_BYTES = 32;

    /** There is none: the request is over once it is written. */
    public static final Answer NONE = fixed(0);

    static Answer fixed(int bytes) {
        return new Answer(bytes, head -> 0, head -> 0);
    }
}
