/** Devices as users of CUDA see them: memory, streams, kernels. */
@NullMarked
package dev.resiliency.nccl.internal.device;

import org.jspecify.annotations.NullMarked;
