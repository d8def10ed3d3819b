package dev.resiliency.nccl.internal.natives;

import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.javacpp.BytePointer;

/** Creates what {@code NCCL_CONFIG_INITIALIZER} does, a macro that JavaCPP lacks, for non-blocking communicators. */
final class NcclConfig {
    private static final int MAGIC = 0xcafebeef;
    private static final int UNDEFINED = Integer.MIN_VALUE;

    private NcclConfig() {}

    /** Returns a new configuration, which must be closed. */
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
