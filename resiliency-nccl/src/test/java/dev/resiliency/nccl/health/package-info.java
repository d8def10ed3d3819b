@NullMarked
package dev.resiliency.nccl.health;

import org.jspecify.annotations.NullMarked;
