/** NCCL communicators that a restart can abort, and the device memory and streams that they work on. */
@NullMarked
package dev.resiliency.nccl;

import org.jspecify.annotations.NullMarked;
