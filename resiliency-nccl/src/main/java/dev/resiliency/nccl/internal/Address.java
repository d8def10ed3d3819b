package dev.resiliency.nccl.internal;

import org.bytedeco.javacpp.Pointer;

/** A native address as JavaCPP wants it. It owns nothing. */
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
