package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/**
 * The records of why an iteration was interrupted. Every rank reads all of them, so without a limit, the traffic of a
 * job in which every rank records a fault would grow with the square of their number.
 */
final class FaultRecords {
    /** The maximum size of the records of an iteration. */
    private static final long LIMIT = 64 << 10;
    /** The maximum number of bytes that the store sends for all ranks to read them. */
    private static final long LIMIT_OF_ALL_READERS = 128 << 20;

    private static final Logger LOG = SafeLog.of(FaultRecords.class);

    private final JobKeys keys;
    private final long limit;
    /** Set by the first thread that reads a line which no rank has written. */
    private final AtomicBoolean unreadable = new AtomicBoolean();

    FaultRecords(Identity identity) {
        keys = new JobKeys(identity.generation());
        limit = Math.min(LIMIT, LIMIT_OF_ALL_READERS / identity.worldSize());
    }

    /**
     * Records a fault. Half of the room is reserved for deaths, which may come later and are reported by no one else; and half of the
     * rest for the one that all others wait for.
     */
    Operation<?> fault(int k, Interruption interruption) {
        return append(k, interruption, interruption.kind() == Interruption.Kind.WAITING ? limit / 4 : limit / 2);
    }

    /** Records what a function threw as it was stopped, which counts only if nothing else explains the interruption. */
    Operation<?> thrownAtStop(int k, Interruption interruption) {
        return new Operation.Append(keys.records(k), InterruptionCodec.writeAtStop(interruption), limit / 2);
    }

    Operation<?> death(int k, Interruption interruption) {
        return append(k, interruption, limit);
    }

    private Operation<?> append(int k, Interruption interruption, long below) {
        return new Operation.Append(keys.records(k), InterruptionCodec.write(interruption), below);
    }

    /** Creates empty records if there are none, so that those who read them need not wait. */
    Operation<?> ensureExist(int k) {
        return new Operation.Append(keys.records(k), Value.empty(), 1);
    }

    /** Reads records, and judges who hangs; those who have only followed come last. Skips what is unreadable, and says so once. */
    List<Interruption> read(Value written) {
        List<Interruption> records = InterruptionCodec.readAll(written, () -> {
            if (unreadable.compareAndSet(false, true)) {
                LOG.warn("skipped an unreadable record of a fault: something that is no rank of this job writes to its"
                        + " store");
            }
        });
        return HangRule.judge(InterruptionCodec.explain(records, written)).stream()
                .sorted(Comparator.comparing(each -> each.kind().isFollowing())) // stable
                .toList();
    }
}
