/** NCCL communicators: how they are created, used by one thread, and aborted by another. */
@NullMarked
package dev.resiliency.nccl.internal.communicator;

import org.jspecify.annotations.NullMarked;
