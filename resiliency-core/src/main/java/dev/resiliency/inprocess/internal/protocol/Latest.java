package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;

import dev.resiliency.inprocess.spi.refound.Ranges;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;

/**
 * The latest decided iteration of a generation and its members, by whom a process that waits knows whether anybody can
 * still admit it.
 *
 * @param iteration {@link JobKeys#BEFORE_FIRST} before the first decision
 * @param members before the first decision, the founders
 */
record Latest(int iteration, IndexSet members) {

    static Value write(int iteration, IndexSet members) {
        return Value.of(iteration + " " + Ranges.write(members));
    }

    /** Reads the value; an empty one means that nothing is decided yet. */
    static Latest read(Value value, int worldSize) {
        if (value.size() == 0) {
            return new Latest(BEFORE_FIRST, IndexSet.range(0, worldSize));
        }
        String[] fields = value.text().split(" ", 2);
        return new Latest(Integer.parseInt(fields[0]), Ranges.read(fields[1]));
    }

    /** Where the results of a reading are that shows whether a generation is over. */
    record Reading(Handle<IndexSet> terminated, Handle<Value> latest) {

        /**
         * Adds the reading to a batch, in this order: a store without atomic batches must not show an old decision beside
         * a newer set.
         */
        static Reading in(Batch batch, JobKeys keys) {
            return new Reading(
                    batch.add(new Operation.Members(keys.terminated())), batch.add(JobSession.peek(keys.latest())));
        }

        /** Returns the latest iteration. */
        Latest of(Results results, int worldSize) {
            return read(results.get(latest), worldSize);
        }
    }

    /** Returns whether all members have died or left, so that the generation is over. */
    boolean isOver(IndexSet terminated) {
        return terminated.containsAll(members);
    }
}
