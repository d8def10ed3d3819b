@NullMarked
package dev.resiliency.nccl.internal.natives;

import org.jspecify.annotations.NullMarked;
