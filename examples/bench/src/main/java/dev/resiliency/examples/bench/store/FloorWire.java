package dev.resiliency.examples.bench.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Wire of a server that only writes: on a byte from one client, a message to each of the others. */
final class FloorWire implements Wire {
    /** About as long as the answer to a client that waits at a barrier. */
    static final int MESSAGE_BYTES = 16;

    private static final Step MESSAGE = Step.only(ByteBuffer.allocate(0), WireAnswer.fixed(MESSAGE_BYTES));

    @Override
    public ByteOrder order() {
        return ByteOrder.BIG_ENDIAN;
    }

    @Override
    public Step hello() {
        return Step.only(ByteBuffer.allocate(0), WireAnswer.NONE);
    }

    @Override
    public Step awaitChange(String key) {
        return MESSAGE;
    }

    @Override
    public Step change(String key) {
        return Step.only(ByteBuffer.allocate(1), WireAnswer.NONE);
    }
}
