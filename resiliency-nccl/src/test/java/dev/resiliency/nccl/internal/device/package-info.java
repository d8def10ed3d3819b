@NullMarked
package dev.resiliency.nccl.internal.device;

import org.jspecify.annotations.NullMarked;
