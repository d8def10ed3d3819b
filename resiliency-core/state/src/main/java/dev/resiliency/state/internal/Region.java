package dev.resiliency.state.internal;

/** One named buffer of a state. */
interface Region extends Bytes {
    String name();

    ElementType type();

    /** Returns what the function works with: a new view of the buffer, of all its elements, or the memory. */
    Object handle();

    /** What a buffer consists of; part of the layout on which all ranks must agree. */
    enum ElementType {
        FLOATS(Float.BYTES),
        DOUBLES(Double.BYTES),
        LONGS(Long.BYTES),
        BYTES(1),
        /** Bytes of the user's. */
        MEMORY(1),
        /** Bytes that Java does not see. */
        EXTERNAL(1),
        /** Bytes of any length. */
        VALUE(1);

        private final int bytes;

        ElementType(int bytes) {
            this.bytes = bytes;
        }

        int bytes() {
            return bytes;
        }
    }
}
