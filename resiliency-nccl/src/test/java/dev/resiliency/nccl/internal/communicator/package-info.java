@NullMarked
package dev.resiliency.nccl.internal.communicator;

import org.jspecify.annotations.NullMarked;
