/** Health checks of devices, their links, and the network devices of the host. */
@NullMarked
package dev.resiliency.nccl.internal.health;

import org.jspecify.annotations.NullMarked;
