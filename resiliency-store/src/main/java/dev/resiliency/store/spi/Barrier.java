package dev.resiliency.store.spi;

import dev.resiliency.store.IndexSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A barrier kept by the store: a set of arrived participants, complete once all expected ones have arrived.
 *
 * <p>Arriving is idempotent, and one call may arrive for several participants. The arrival that completes the barrier
 * releases all who wait, with one push each. A complete barrier stays complete until its name is deleted: later
 * arrivals pass at once. Each arrival describes the barrier; the first description stands. For the barrier, the sets
 * that it names only grow: deleting one takes no member back.
 *
 * @param name the key of the barrier
 * @param expected the participants that must arrive; null if {@code expectedIn} is given
 * @param expectedIn the key of a set of the participants that must arrive; null if {@code expected} is given. With many
 *     participants this keeps each arrival short
 * @param excusedIn the key of a set whose members count as arrived, whenever they join it; null to excuse no one
 * @param half whether the barrier is complete once at least half of the expected participants have arrived
 * @param whenComplete operations that the store runs in the same step in which the barrier becomes complete; none of
 *     them may wait
 * @since 0.1.0
 */
public record Barrier(
        String name,
        @Nullable IndexSet expected,
        @Nullable String expectedIn,
        @Nullable String excusedIn,
        boolean half,
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
                        + ": an operation run at completion may not wait, but this one does: "
                        + operation.getClass().getSimpleName());
            }
        }
    }

    /** Returns a barrier of these participants. */
    public static Barrier of(String name, IndexSet expected) {
        return new Barrier(name, expected, null, null, false, List.of());
    }

    /** Returns a barrier of the members of the set under {@code expectedIn}. */
    public static Barrier ofMembers(String name, String expectedIn) {
        return new Barrier(name, null, expectedIn, null, false, List.of());
    }

    /** Returns this barrier with the members of the set under {@code excusedIn} counted as arrived. */
    public Barrier excusing(String excusedIn) {
        return new Barrier(name, expected, expectedIn, excusedIn, half, whenComplete);
    }

    /** Returns this barrier, complete once at least half of the expected participants have arrived. */
    public Barrier ofHalf() {
        return new Barrier(name, expected, expectedIn, excusedIn, true, whenComplete);
    }

    /** Returns this barrier with operations that run in the step that completes it. */
    public Barrier whenComplete(Operation<?>... operations) {
        return new Barrier(name, expected, expectedIn, excusedIn, half, List.of(operations));
    }
}
