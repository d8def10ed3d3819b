package dev.resiliency.examples.bench.store;

import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A request, and the step that follows its answer.
 *
 * @param request bytes to write; empty if the server sends on its own. Its position never changes
 * @param next computes the next step from the value of the answer; null if this is the last one
 */
public record Step(ByteBuffer request, WireAnswer answer, LongFunction<@Nullable Step> next) {

    /** Creates a final step. */
    public static Step only(ByteBuffer request, WireAnswer answer) {
        return new Step(request, answer, value -> null);
    }

    /** Creates a step that is followed by another one, whatever the answer is. */
    public Step then(Step following) {
        return new Step(request, answer, value -> following);
    }
}
