package dev.resiliency.store.internal;

import dev.resiliency.store.BarrierOverflowException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets participants arrive, and updates the barriers whose expected or excused participants are the members of a set.
 */
final class Barriers {
    private final Limits limits;
    private final Usage usage;
    private final Entries entries;
    private final Consumer<Request> wake;
    /** For each set, the incomplete barriers that depend on it. */
    private final SetsByName<BarrierState> dependents = new SetsByName<>();
    /** Barriers that became complete in this step and whose operations have yet to run. */
    private final Queue<BarrierState> completed = new ArrayDeque<>();

    private boolean isSettling;

    Barriers(Limits limits, Usage usage, Entries entries, Consumer<Request> wake) {
        this.limits = limits;
        this.usage = usage;
        this.entries = entries;
        this.wake = wake;
    }

    /** Lets either all of these participants arrive or none. */
    BarrierState arrive(Barrier description, IndexSet participants) {
        String name = description.name();
        limits.check(name);
        Limits.check(participants);
        BarrierState known = entries.find(name, BarrierState.class);
        BarrierState barrier = known == null ? describe(description) : known;
        IndexSet unexpected = barrier.unexpected(participants);
        if (!unexpected.isEmpty()) {
            throw new BarrierOverflowException(name, unexpected, barrier.expected(), barrier.arrived());
        }
        boolean wasComplete = known != null && barrier.isComplete();
        if (known == null) {
            barrier.arrive(participants);
            entries.create(name, barrier);
            link(barrier);
        } else {
            usage.take(barrier.growthOfArriving(participants), name);
            barrier.arrive(participants);
        }
        if (barrier.isComplete() && !wasComplete) {
            complete(barrier);
        }
        return barrier;
    }

    private BarrierState describe(Barrier description) {
        BarrierState barrier = new BarrierState(description, usage);
        IndexSet expected = description.expected();
        if (expected == null) {
            expected = members(description.expectedIn());
        }
        if (expected != null) {
            Limits.check(expected);
            barrier.expect(expected);
        }
        IndexSet excused = members(description.excusedIn());
        if (excused != null) {
            barrier.excuse(excused);
        }
        return barrier;
    }

    private @Nullable IndexSet members(@Nullable String key) {
        if (key == null) {
            return null;
        }
        limits.check(key);
        Entry.Members set = entries.find(key, Entry.Members.class);
        return set == null ? null : set.members();
    }

    private void link(BarrierState barrier) {
        for (String set : setsOf(barrier)) {
            dependents.add(set, barrier);
        }
    }

    /** Handles the deletion of the barrier's key. */
    void delete(BarrierState barrier) {
        unlink(barrier);
        barrier.delete();
    }

    /** Unlinks a barrier that is complete or deleted from the sets that it depended on. */
    private void unlink(BarrierState barrier) {
        for (String set : setsOf(barrier)) {
            dependents.remove(set, barrier);
        }
    }

    private static List<String> setsOf(BarrierState barrier) {
        String expectedIn = barrier.description().expectedIn();
        String excusedIn = barrier.description().excusedIn();
        if (expectedIn == null) {
            return excusedIn == null ? List.of() : List.of(excusedIn);
        }
        return excusedIn == null ? List.of(expectedIn) : List.of(expectedIn, excusedIn);
    }

    /** Returns how many more bytes the barriers that depend on a set take once these have joined it. */
    long growthOfJoining(String set, IndexSet members) {
        long growth = 0;
        for (BarrierState barrier : dependents.get(set)) {
            growth += barrier.growthOfJoining(set, members);
        }
        return growth;
    }

    /** Updates the barriers that depend on a set with the members that joined it. */
    void joined(String set, IndexSet members) {
        for (BarrierState barrier : List.copyOf(dependents.get(set))) {
            if (set.equals(barrier.description().expectedIn())) {
                barrier.expect(members);
            }
            if (set.equals(barrier.description().excusedIn())) {
                barrier.excuse(members);
            }
            if (barrier.isComplete()) {
                complete(barrier);
            }
        }
    }

    private void complete(BarrierState barrier) {
        unlink(barrier);
        completed.add(barrier);
    }

    /**
     * Runs the operations of each barrier that became complete, then releases its waiters. The operations may complete
     * further barriers: those are queued, so that a long chain needs no deep stack.
     */
    void settle(Consumer<List<Operation<?>>> run) {
        if (isSettling) {
            return;
        }
        isSettling = true;
        try {
            for (BarrierState barrier = completed.poll(); barrier != null; barrier = completed.poll()) {
                run.accept(barrier.description().whenComplete());
                barrier.release(wake);
            }
        } finally {
            isSettling = false;
        }
    }
}
