/**
 * NCCL communicators that a restart can abort, the device memory and streams that they work on, and health checks of GPUs.
 *
 * <p>Start with {@link NcclCommunicator}. {@link AbortNccl}, {@link GpuHealthChecks} and {@link GpuMemoryReclaim} create
 * hooks for a {@link dev.resiliency.inprocess.Wrapper}. All exceptions extend {@link GpuException}.
 */
@NullMarked
package dev.resiliency.nccl;

import org.jspecify.annotations.NullMarked;
