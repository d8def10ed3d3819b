package dev.resiliency.nccl.internal.natives;

import org.bytedeco.javacpp.BytePointer;

/** A buffer for a text that a C function writes. JavaCPP's own method to read it does not stop at the terminating zero. */
final class TextBuffer implements AutoCloseable {
    static final int BYTES = 96;

    private final BytePointer bytes = new BytePointer(BYTES);

    BytePointer bytes() {
        return bytes;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < BYTES && bytes.get(i) != 0; i++) {
            text.append((char) bytes.get(i));
        }
        return text.toString();
    }

    @Override
    public void close() {
        bytes.close();
    }
}
