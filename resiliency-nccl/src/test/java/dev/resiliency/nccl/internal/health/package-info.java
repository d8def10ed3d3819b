@NullMarked
package dev.resiliency.nccl.internal.health;

import org.jspecify.annotations.NullMarked;
