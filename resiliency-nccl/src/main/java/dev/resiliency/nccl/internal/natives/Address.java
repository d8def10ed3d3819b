package dev.resiliency.nccl.internal.natives;

import org.bytedeco.javacpp.Pointer;

/** A native address as JavaCPP needs it. It owns no memory. */
final class Address extends Pointer {
    Address(long address) {
        this.address = address;
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
