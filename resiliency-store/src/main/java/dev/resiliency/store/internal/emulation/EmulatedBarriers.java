package dev.resiliency.store.internal.emulation;

import dev.resiliency.store.BarrierOverflowException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.BarrierState;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PlainStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Barriers that their participants keep themselves, in a value that they append to. Confined to the store's thread.
 *
 * <p>Whoever finds that nobody is missing completes the barrier. Two may find it at the same time: the one whose
 * compareAndSet wins runs the operations and then lets all pass. If that one dies in between, nobody passes any more, and
 * all end with a {@link dev.resiliency.store.BarrierTimeoutException}.
 */
final class EmulatedBarriers {
    private static final Logger LOG = LoggerFactory.getLogger(EmulatedBarriers.class);

    private final PlainStore plain;
    private final EmulatedOperations operations;
    private final long session;

    EmulatedBarriers(PlainStore plain, EmulatedOperations operations, long session) {
        this.plain = plain;
        this.operations = operations;
        this.session = session;
    }

    /** Lets all these participants arrive, or none of them. */
    void arrive(Barrier barrier, IndexSet participants) {
        Limits.check(participants);
        Contents.Arrivals known = find(barrier.name());
        Barrier description = known == null ? barrier : known.description();
        IndexSet arrived = known == null ? IndexSet.empty() : known.arrived();
        BarrierState state = state(description, arrived);
        IndexSet unexpected = state.unexpected(participants);
        if (!unexpected.isEmpty()) {
            throw new BarrierOverflowException(barrier.name(), unexpected, state.expected(), arrived);
        }
        if (known == null || !arrived.containsAll(participants)) {
            plain.append(barrier.name(), Contents.arrival(description, participants));
        }
    }

    private Contents.@Nullable Arrivals find(String name) {
        Contents contents = operations.contents(name);
        if (contents == null || contents instanceof Contents.Arrivals) {
            return (Contents.Arrivals) contents;
        }
        throw EmulatedOperations.wrongKind(name, contents, "a barrier");
    }

    /** How things stand, by the sets as they are now. */
    private BarrierState state(Barrier description, IndexSet arrived) {
        BarrierState state = new BarrierState(description);
        IndexSet expected = description.expected();
        if (expected != null) {
            Limits.check(expected);
            state.expect(expected);
        } else {
            String expectedIn = Objects.requireNonNull(description.expectedIn());
            if (operations.exist(List.of(expectedIn))) {
                state.expect(operations.members(expectedIn));
            }
        }
        state.arrive(arrived);
        if (description.excusedIn() != null) {
            state.excuse(operations.members(description.excusedIn()));
        }
        return state;
    }

    /** How far a barrier is. */
    enum Progress {
        /** Somebody is missing. */
        INCOMPLETE,
        /** Nobody is missing, and another client is at what is to be run then. */
        COMPLETING,
        /** All may pass. */
        COMPLETE
    }

    /** How far the barrier is. Completes it if nobody is missing and nobody else is at it. */
    Progress look(Barrier barrier) {
        List<Value> read = plain.read(List.of(barrier.name()));
        if (read == null || !(Contents.read(barrier.name(), read.get(0)) instanceof Contents.Arrivals known)) {
            return Progress.INCOMPLETE; // deleted: who waits goes on waiting
        }
        if (known.isComplete()) {
            return Progress.COMPLETE;
        }
        if (known.isCompleting()) {
            return Progress.COMPLETING;
        }
        if (!state(known.description(), known.arrived()).isComplete()) {
            return Progress.INCOMPLETE;
        }
        // With the number of this session, so that of two who write the same each knows whether it was the first.
        Value completing = read.get(0).append(Contents.completing(session));
        if (!plain.compareAndSet(barrier.name(), read.get(0), completing).equals(completing)) {
            return Progress.COMPLETING; // another one has arrived or was first: the next look tells
        }
        runAll(barrier.whenComplete());
        letPass(barrier.name(), completing);
        return Progress.COMPLETE;
    }

    /**
     * Lets all pass who wait at the barrier as this client has written it. Guards against a race with whoever deletes it
     * meanwhile, which may be one of its own operations: a plain append would bring back a key that describes nothing.
     */
    private void letPass(String name, Value written) {
        Value known = written;
        while (startsWith(known, written)) {
            Value complete = known.append(Contents.complete());
            Value now = plain.compareAndSet(name, known, complete);
            if (now.equals(complete)) {
                return;
            }
            known = now; // somebody else has arrived, or the barrier is gone, or another has its name
        }
    }

    private static boolean startsWith(Value value, Value start) {
        return value.text().startsWith(start.text());
    }

    /** Carries out an operation that does not wait: one of a barrier, or any other. */
    @Nullable
    Object run(Operation<?> operation) {
        if (!(operation instanceof Operation.Arrive arrive)) {
            return operations.run(operation);
        }
        arrive(arrive.barrier(), arrive.participants());
        look(arrive.barrier());
        return null;
    }

    private void runAll(List<Operation<?>> whenComplete) {
        for (Operation<?> operation : whenComplete) {
            try {
                if (operation.endsBatch(run(operation))) {
                    return;
                }
            } catch (StoreLostException lost) {
                throw lost;
            } catch (StoreException failure) {
                LOG.warn("Skipped {} and the operations after it at a barrier", operation, failure);
                return;
            }
        }
    }

    /** What to tell who waited in vain. */
    StoreException timeout(Barrier barrier, Duration timeout) {
        Contents.Arrivals known = find(barrier.name());
        return known == null
                ? state(barrier, IndexSet.empty()).timeout(timeout)
                : state(known.description(), known.arrived()).timeout(timeout);
    }
}
