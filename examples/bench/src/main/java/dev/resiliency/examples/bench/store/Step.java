package dev.resiliency.examples.bench.store;

import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request, and the step that follows its answer.
 *
 * @param request bytes to write; empty if the server sends on its own. Its position never changes
 * @param answers the types of the frame that answers; empty if none does: the request is complete once it is written
 * @param next the step that follows the answer; null if this is the last one
 */
record Step(
        ByteBuffer request, Set<Integer> answers, @Nullable Step next) {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Creates a final step. */
    public static Step only(ByteBuffer request, Integer... answers) {
        return new Step(request, Set.of(answers), null);
    }

    /** Creates a final step that only awaits a frame. */
    public static Step await(Integer... answers) {
        return only(NOTHING, answers);
    }

    /** Creates a step that is followed by another one, whatever the answer is. */
    public Step then(Step following) {
        return new Step(request, answers, following);
    }
}
