package dev.resiliency.nccl.internal;

import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.javacpp.BytePointer;

/** How communicators are made: by {@code NCCL_CONFIG_INITIALIZER}, a macro that JavaCPP does not have, and without blocking. */
final class NcclConfig {
    private static final int MAGIC = 0xcafebeef;
    private static final int UNDEFINED = Integer.MIN_VALUE;

    private NcclConfig() {}

    /** A new one, to be closed. */
    static ncclConfig_t nonBlocking() {
        ncclConfig_t config = new ncclConfig_t();
        for (long i = 0; i + Integer.BYTES <= config.sizeof(); i += Integer.BYTES) {
            new BytePointer(config).putInt(i, UNDEFINED);
        }
        return config.size(config.sizeof())
                .magic(MAGIC)
                .version(CudaBinding.ncclVersion())
                .blocking(0)
                .netName(null)
                .commName(null);
    }
}
