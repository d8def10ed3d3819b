package dev.resiliency.examples.bench.store;

import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A request, and the step that follows its answer.
 *
 * @param request bytes to write; empty if the server sends on its own. Its position never changes
 * @param next the step that follows the answer; null if this is the last one
 */
public record Step(
        ByteBuffer request, Answer answer, @Nullable Step next) {

    /**
     * The answer of a server: a head of a fixed size, and a rest that is skipped.
     *
     * @param headBytes at most {@link #MAX_HEAD_BYTES}
     * @param restBytes length of the rest, from the head
     * @param value value of the answer, from the head
     */
    public record Answer(int headBytes, ToLongFunction<ByteBuffer> restBytes, ToLongFunction<ByteBuffer> value) {
        static final int MAX_HEAD_BYTES = 32;

        /** No answer: the request is complete once it is written. */
        public static final Answer NONE = fixed(0);

        static Answer fixed(int bytes) {
            return new Answer(bytes, head -> 0, head -> 0);
        }
    }

    /** Creates a final step. */
    public static Step only(ByteBuffer request, Answer answer) {
        return new Step(request, answer, null);
    }

    /** Creates a step that is followed by another one, whatever the answer is. */
    public Step then(Step following) {
        return new Step(request, answer, following);
    }
}
