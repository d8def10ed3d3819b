package dev.resiliency.examples.bench.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The server that does nothing but write: a byte from one client makes it write a message to each of the others. */
final class FloorWire implements Wire {
    /** About as long as the answer to who waits at a barrier. */
    static final int MESSAGE_BYTES = 16;

    private static final Step MESSAGE = Step.only(ByteBuffer.allocate(0), Answer.fixed(MESSAGE_BYTES));

    @Override
    public ByteOrder order() {
        return ByteOrder.BIG_ENDIAN;
    }

    @Override
    public Step hello() {
        return Step.only(ByteBuffer.allocate(0), Answer.NONE);
    }

    @Override
    public Step awaitChange(String key) {
        return MESSAGE;
    }

    @Override
    public Step change(String key) {
        return Step.only(ByteBuffer.allocate(1), Answer.NONE);
    }
}
