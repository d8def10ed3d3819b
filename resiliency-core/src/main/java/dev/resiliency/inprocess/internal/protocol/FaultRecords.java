package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.store.spi.Operation;

/**
 * The records of an iteration: why it was interrupted. Every rank reads them all, so without a limit a job in which every
 * rank records a fault would have the store send the square of their number.
 */
final class FaultRecords {
    /** The most bytes that the records of an iteration take. */
    private static final long LIMIT = 64 << 10;
    /** The most bytes that the store sends so that all ranks have read them. */
    private static final long LIMIT_OF_ALL_READERS = 128 << 20;

    private final long limit;

    FaultRecords(int worldSize) {
        limit = Math.min(LIMIT, LIMIT_OF_ALL_READERS / worldSize);
    }

    /** Records a fault. Leaves half of the room to deaths, which may come later: nobody else reports the dead. */
    Operation<?> fault(int k, Interruption interruption) {
        return append(k, interruption, limit / 2);
    }

    Operation<?> death(int k, Interruption interruption) {
        return append(k, interruption, limit);
    }

    private static Operation<?> append(int k, Interruption interruption, long below) {
        return new Operation.Append(JobKeys.records(k), InterruptionCodec.write(interruption), below);
    }
}
