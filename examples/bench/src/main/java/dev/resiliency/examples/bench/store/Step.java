package dev.resiliency.examples.bench.store;

import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A request and what follows from its answer.
 *
 * @param request what to write; nothing if the server speaks of its own accord. Its position is never moved
 * @param next from the value of the answer, what to do then; null if that is all
 */
public record Step(ByteBuffer request, Answer answer, LongFunction<@Nullable Step> next) {

    /** A step that is all. */
    public static Step only(ByteBuffer request, Answer answer) {
        return new Step(request, answer, value -> null);
    }

    /** A step that another one follows whatever the answer is. */
    public Step then(Step following) {
        return new Step(request, answer, value -> following);
    }
}
