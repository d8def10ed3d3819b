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
 * Barriers that their participants maintain themselves, in a value to which they append. Confined to the store's
 * thread.
 *
 * <p>A client that finds no one missing completes the barrier. If two find this at the same time, the one whose
 * compareAndSet wins runs the operations and then lets all pass. If it dies in between, no one can pass, and all fail
 * with a {@link dev.resiliency.store.BarrierTimeoutException}.
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

    /** Lets either all of these participants arrive or none. */
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

    /** Returns the state of the barrier by the sets as they are now. */
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

    /** The progress of a barrier. */
    enum Progress {
        /** Participants are missing. */
        INCOMPLETE,
        /** No one is missing, and another client is running the operations. */
        COMPLETING,
        /** All may pass. */
        COMPLETE
    }

    /** Returns the progress of the barrier; completes it if no one is missing and no other client is doing so. */
    Progress look(Barrier barrier) {
        List<Value> read = plain.read(List.of(barrier.name()));
        if (read == null || !(Contents.read(barrier.name(), read.get(0)) instanceof Contents.Arrivals known)) {
            return Progress.INCOMPLETE; // deleted: those waiting keep waiting
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
        // With the number of this session, so that of two clients that write at the same time each knows whether it was
        // first.
        Value completing = read.get(0).append(Contents.completing(session));
        if (!plain.compareAndSet(barrier.name(), read.get(0), completing).equals(completing)) {
            return Progress.COMPLETING; // another client has arrived or was first: the next poll shows which
        }
        runAll(barrier.whenComplete());
        letPass(barrier.name(), completing);
        return Progress.COMPLETE;
    }

    /**
     * Lets all pass that wait at the barrier as this client has written it. Guards against a race with its deletion,
     * which one of its own operations may cause: a plain append would recreate the key without a description.
     */
    private void letPass(String name, Value written) {
        Value known = written;
        while (startsWith(known, written)) {
            Value complete = known.append(Contents.complete());
            Value now = plain.compareAndSet(name, known, complete);
            if (now.equals(complete)) {
                return;
            }
            known = now; // another participant has arrived, or the barrier is gone, or another one has its name
        }
    }

    private static boolean startsWith(Value value, Value start) {
        return value.text().startsWith(start.text());
    }

    /** Carries out an operation that does not wait, on a barrier or anything else. */
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
                LOG.warn(
                        "Skipped a {} and the operations after it at a barrier",
                        operation.getClass().getSimpleName(),
                        failure);
                return;
            }
        }
    }

    /** Returns the exception for a wait that timed out. */
    StoreException timeout(Barrier barrier, Duration timeout) {
        Contents.Arrivals known = find(barrier.name());
        return known == null
                ? state(barrier, IndexSet.empty()).timeout(timeout)
                : state(known.description(), known.arrived()).timeout(timeout);
    }
}
