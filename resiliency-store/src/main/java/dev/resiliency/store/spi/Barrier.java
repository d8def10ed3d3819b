package dev.resiliency.store.spi;

import dev.resiliency.store.IndexSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A barrier that the store keeps: a set of arrived participants, complete once all expected ones have arrived.
 *
 * <p>Arriving twice is the same as once, and one call may bring several participants. The arrival that completes the
 * barrier releases all who wait, in one push each. A barrier that is complete stays so until its name is deleted; who
 * arrives later passes at once. Everyone who arrives describes the barrier; the first description stands. The sets that
 * it names only grow for it: deleting them takes nothing back.
 *
 * @param name the key that the barrier lives under
 * @param expected who must arrive; null if {@code expectedIn} says it
 * @param expectedIn the key of a set that holds who must arrive, null if {@code expected} says it. With many
 *     participants this keeps each arrival short
 * @param excusedIn the key of a set whose members count as arrived, whenever they join it; null if nobody is excused
 * @param whenComplete operations that the store runs in the same step in which the barrier becomes complete; none of
 *     them may wait
 * @since 0.1.0
 */
public record Barrier(
        String name,
        @Nullable IndexSet expected,
        @Nullable String expectedIn,
        @Nullable String excusedIn,
        List<Operation<?>> whenComplete) {

    /** Checks that exactly one of {@code expected} and {@code expectedIn} is given, and copies the list. */
    public Barrier {
        if ((expected == null) == (expectedIn == null)) {
            throw new IllegalArgumentException(
                    "barrier " + name + ": give either the expected participants or the key of their set");
        }
        whenComplete = List.copyOf(whenComplete);
        for (Operation<?> operation : whenComplete) {
            if (operation.waits()) {
                throw new IllegalArgumentException("barrier " + name
                        + ": an operation run at completion may not wait, but this one does: " + operation);
            }
        }
    }

    /** A barrier of these participants. */
    public static Barrier of(String name, IndexSet expected) {
        return new Barrier(name, expected, null, null, List.of());
    }

    /** A barrier of the members of the set under {@code expectedIn}. */
    public static Barrier ofMembers(String name, String expectedIn) {
        return new Barrier(name, null, expectedIn, null, List.of());
    }

    /** The same barrier, at which the members of the set under {@code excusedIn} count as arrived. */
    public Barrier excusing(String excusedIn) {
        return new Barrier(name, expected, expectedIn, excusedIn, whenComplete);
    }

    /** The same barrier, which runs these operations in the step that completes it. */
    public Barrier whenComplete(Operation<?>... operations) {
        return new Barrier(name, expected, expectedIn, excusedIn, List.of(operations));
    }
}
