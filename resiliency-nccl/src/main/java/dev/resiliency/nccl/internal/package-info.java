/** The narrow way to CUDA, NCCL and NVML: nothing else in this module knows JavaCPP. */
@NullMarked
package dev.resiliency.nccl.internal;

import org.jspecify.annotations.NullMarked;
