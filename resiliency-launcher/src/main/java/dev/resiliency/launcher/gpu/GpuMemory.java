package dev.resiliency.launcher.gpu;

import java.io.IOException;
import java.util.List;

/** The memory of the GPUs of this host. */
public interface GpuMemory {
    /**
     * Returns how much of it is in use, in MiB, for each GPU. May take seconds.
     *
     * @throws IOException if that cannot be read; says why
     */
    List<Long> usedMebibytes() throws IOException, InterruptedException;
}
