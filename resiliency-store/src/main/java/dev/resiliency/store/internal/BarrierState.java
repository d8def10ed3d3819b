package dev.resiliency.store.internal;

import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.spi.Barrier;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One barrier: the expected participants, those present, and the requests that wait for the others.
 *
 * <p>Invariant: {@code missing} is the number of participants that are expected and not present. An arrival updates it
 * without scanning the whole sets.
 */
final class BarrierState implements Entry, Wait {
    private final Barrier description;
    private final Usage usage;
    private final BitSet expected = new BitSet();
    private final BitSet arrived = new BitSet();
    private final BitSet present = new BitSet(); // arrived or excused
    private final Set<Request> waiting = new LinkedHashSet<>();
    private boolean isExpectedKnown;
    private boolean isReleased;
    private boolean isDeleted;
    private int expectedCount;
    private int missing;

    BarrierState(Barrier description, Usage usage) {
        this.description = description;
        this.usage = usage;
    }

    Barrier description() {
        return description;
    }

    /** Adds expected participants. A barrier without any is not complete. */
    void expect(IndexSet members) {
        isExpectedKnown = true;
        addAll(members, expected, member -> {
            expectedCount++;
            missing += present.get(member) ? 0 : 1;
        });
    }

    /** Marks participants as arrived. */
    void arrive(IndexSet participants) {
        addAll(participants, arrived, joined -> {});
        markPresent(participants);
    }

    /** Counts members as arrived. */
    void excuse(IndexSet members) {
        markPresent(members);
    }

    private void markPresent(IndexSet members) {
        addAll(members, present, member -> missing -= expected.get(member) ? 1 : 0);
    }

    /** Adds members to a set, and passes on the new ones. Takes no time for the others of a long run. */
    private static void addAll(IndexSet members, BitSet set, IntConsumer joined) {
        int absent = -1; // all before it, back to an earlier run, are in the set
        for (int run = 0; run < members.runs(); run++) {
            int first = members.first(run);
            int end = members.end(run);
            if (end - first == 1) { // a rank on its own
                if (!set.get(first)) {
                    set.set(first);
                    joined.accept(first);
                }
                continue;
            }
            absent = absent < first ? set.nextClearBit(first) : absent;
            while (absent < end) {
                joined.accept(absent);
                absent = set.nextClearBit(absent + 1);
            }
            set.set(first, end);
        }
    }

    @Override
    public long bytes() {
        return Sizes.BARRIER + Sizes.of(description) + Sizes.of(expected) + Sizes.of(arrived) + Sizes.of(present);
    }

    /** Returns how many more bytes it takes once these have arrived. */
    long growthOfArriving(IndexSet participants) {
        return Sizes.growth(arrived, participants) + Sizes.growth(present, participants);
    }

    /** Returns how many more bytes it takes once these have joined a set that it depends on. */
    long growthOfJoining(String set, IndexSet members) {
        return (set.equals(description.expectedIn()) ? Sizes.growth(expected, members) : 0)
                + (set.equals(description.excusedIn()) ? Sizes.growth(present, members) : 0);
    }

    /** Marks its key as deleted. Its waiters keep waiting, and its bytes are not released until they are gone. */
    void delete() {
        isDeleted = true;
        if (!waiting.isEmpty()) {
            usage.keep(bytes());
        }
    }

    private void giveBackIfUnused(boolean someoneLeft) {
        if (isDeleted && someoneLeft && waiting.isEmpty()) {
            usage.giveBack(bytes());
        }
    }

    /** Returns whether all expected participants, or at least half of them, have arrived or are excused. */
    boolean isComplete() {
        return isExpectedKnown && (description.half() ? missing <= expectedCount / 2 : missing == 0);
    }

    /** Returns those of the participants that are not expected; none while the expected ones are unknown. */
    IndexSet unexpected(IndexSet participants) {
        if (!isExpectedKnown || areExpected(participants)) {
            return IndexSet.empty();
        }
        BitSet unexpected = participants.toBitSet();
        unexpected.andNot(expected);
        return IndexSet.copyOf(unexpected);
    }

    private boolean areExpected(IndexSet participants) {
        int unexpected = -1; // all before it, back to an earlier run, are expected
        for (int run = 0; run < participants.runs(); run++) {
            int first = participants.first(run);
            if (participants.end(run) - first == 1) { // a rank on its own
                if (!expected.get(first)) {
                    return false;
                }
                continue;
            }
            unexpected = unexpected < first ? expected.nextClearBit(first) : unexpected;
            if (unexpected < participants.end(run)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the participants that must arrive, as far as they are known. */
    IndexSet expected() {
        return IndexSet.copyOf(expected);
    }

    IndexSet arrived() {
        return IndexSet.copyOf(arrived);
    }

    /** Releases all waiters; from now on all later arrivals pass. */
    void release(Consumer<Request> wake) {
        isReleased = true;
        boolean someoneWaits = !waiting.isEmpty();
        waiting.forEach(wake);
        waiting.clear();
        giveBackIfUnused(someoneWaits);
    }

    @Override
    public boolean endOrEnlist(Request request) {
        if (!isReleased) {
            waiting.add(request);
        }
        return isReleased;
    }

    @Override
    public @Nullable Object result() {
        return null;
    }

    @Override
    public void withdraw(Request request) {
        giveBackIfUnused(waiting.remove(request));
    }

    @Override
    public StoreException timeout(Duration timeout) {
        if (!isExpectedKnown) {
            return new StoreTimeoutException(
                    "barrier %s: the set %s of expected participants did not exist within %s s; arrived so far %s"
                            .formatted(
                                    description.name(),
                                    description.expectedIn(),
                                    timeout.toMillis() / 1000.0,
                                    arrived()),
                    timeout);
        }
        BitSet here = (BitSet) present.clone();
        here.and(expected);
        return new BarrierTimeoutException(description.name(), IndexSet.copyOf(here), expected(), timeout);
    }
}
