@NullMarked
package dev.resiliency.nccl.internal;

import org.jspecify.annotations.NullMarked;
