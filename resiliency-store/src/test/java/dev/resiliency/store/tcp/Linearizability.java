package dev.resiliency.store.tcp;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether calls on one key, which is a register and a counter, could have taken effect one after the other,
 * each at one moment between its start and its end. After Wing and Gong, with Lowe's cache of visited states.
 */
final class Linearizability {
    /** The end of a call that was never answered: it may have taken effect at any time, or not at all. */
    static final long NEVER = Long.MAX_VALUE;

    private final List<Call> calls;
    private final Set<Tried> tried = new HashSet<>();

    private Linearizability(List<Call> calls) {
        this.calls = calls;
    }

    /** The effect of a call on the value. */
    sealed interface Action {
        /** Returns the value afterwards; empty if the call cannot have had this result. */
        Optional<String> applyTo(String value);
    }

    /** Writes. */
    record Write(String written) implements Action {
        @Override
        public Optional<String> applyTo(String value) {
            return Optional.of(written);
        }
    }

    /** Reads. */
    record Read(String read) implements Action {
        @Override
        public Optional<String> applyTo(String value) {
            return Optional.of(value).filter(read::equals);
        }
    }

    /** Adds, with an unknown sum. */
    record AddUnheard(long delta) implements Action {
        @Override
        public Optional<String> applyTo(String value) {
            return Optional.of(Long.toString(Long.parseLong(value) + delta));
        }
    }

    /** Writes if the value is the expected one, with an unknown result. */
    record CompareAndSetUnheard(String expected, String desired) implements Action {
        @Override
        public Optional<String> applyTo(String value) {
            return Optional.of(value.equals(expected) ? desired : value);
        }
    }

    /** Adds; the result is the sum. */
    record Add(long delta, long sum) implements Action {
        @Override
        public Optional<String> applyTo(String value) {
            long actual = Long.parseLong(value) + delta;
            return actual == sum ? Optional.of(Long.toString(actual)) : Optional.empty();
        }
    }

    /** Writes if the value is the expected one; the result is the value afterwards. */
    record CompareAndSet(String expected, String desired, String after) implements Action {
        @Override
        public Optional<String> applyTo(String value) {
            return Optional.of(value.equals(expected) ? desired : value).filter(after::equals);
        }
    }

    /** A call, with the times between which it took effect. */
    record Call(Action action, long start, long end) {}

    private record Tried(BitSet done, String value) {}

    /** Returns whether there is such an order if the key initially holds {@code first}. */
    static boolean holds(List<Call> calls, String first) {
        return new Linearizability(calls).canGoOn(new BitSet(), first);
    }

    private boolean canGoOn(BitSet done, String value) {
        long firstEnd = NEVER;
        for (int i = done.nextClearBit(0); i < calls.size(); i = done.nextClearBit(i + 1)) {
            firstEnd = Math.min(firstEnd, calls.get(i).end());
        }
        if (firstEnd == NEVER) {
            return true; // unanswered calls need not have happened
        }
        if (!tried.add(new Tried((BitSet) done.clone(), value))) {
            return false;
        }
        for (int i = done.nextClearBit(0); i < calls.size(); i = done.nextClearBit(i + 1)) {
            Call call = calls.get(i);
            // No call may take effect before one that ended before it started.
            if (call.start() <= firstEnd) {
                Optional<String> after = call.action().applyTo(value);
                if (after.isPresent()) {
                    done.set(i);
                    if (canGoOn(done, after.get())) {
                        return true;
                    }
                    done.clear(i);
                }
            }
        }
        return false;
    }
}
