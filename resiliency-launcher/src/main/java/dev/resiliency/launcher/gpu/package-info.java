/** What {@code nvidia-smi} says of the GPUs of this host. Where there is none, nothing happens. */
@NullMarked
package dev.resiliency.launcher.gpu;

import org.jspecify.annotations.NullMarked;
