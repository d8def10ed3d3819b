package dev.resiliency.nccl;

/**
 * The type of the elements of a {@link DeviceBuffer}.
 *
 * @since 0.1.0
 */
public enum DataType {
    /** 8 bits, signed. */
    INT8(0, 1),
    /** 8 bits, unsigned. */
    UINT8(1, 1),
    /** 32 bits, signed. */
    INT32(2, 4),
    /** 32 bits, unsigned. */
    UINT32(3, 4),
    /** 64 bits, signed. */
    INT64(4, 8),
    /** 64 bits, unsigned. */
    UINT64(5, 8),
    /** 16 bits, IEEE 754. */
    FLOAT16(6, 2),
    /** 32 bits, IEEE 754: a Java {@code float}. */
    FLOAT32(7, 4),
    /** 64 bits, IEEE 754: a Java {@code double}. */
    FLOAT64(8, 8),
    /** 16 bits with the exponent of a {@code float}. */
    BFLOAT16(9, 2);

    private final int code;
    private final int bytes;

    DataType(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** Returns NCCL's number for it, an {@code ncclDataType_t}. */
    public int code() {
        return code;
    }

    /** Returns the size of an element in bytes. */
    public int bytes() {
        return bytes;
    }
}
