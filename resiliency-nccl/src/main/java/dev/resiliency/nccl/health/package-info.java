/** Health checks that find out whether this rank's host can still train. */
@NullMarked
package dev.resiliency.nccl.health;

import org.jspecify.annotations.NullMarked;
