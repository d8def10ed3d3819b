/** The only access to CUDA, NCCL and NVML: nothing else in this module uses JavaCPP. */
@NullMarked
package dev.resiliency.nccl.internal.natives;

import org.jspecify.annotations.NullMarked;
