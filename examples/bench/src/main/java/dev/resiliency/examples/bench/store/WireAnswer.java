package dev.resiliency.examples.bench.store;

import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/**
 * The answer of a server: a head of a fixed size, and a rest that is skipped.
 *
 * @param headBytes at most {@link #MAX_HEAD_BYTES}
 * @param restBytes length of the rest, from the head
 * @param value value of the answer, from the head
 */
public record WireAnswer(int headBytes, ToLongFunction<ByteBuffer> restBytes, ToLongFunction<ByteBuffer> value) {
    static final int MAX_HEAD_BYTES = 32;

    /** No answer: the request is complete once it is written. */
    public static final WireAnswer NONE = fixed(0);

    static WireAnswer fixed(int bytes) {
        return new WireAnswer(bytes, head -> 0, head -> 0);
    }
}
