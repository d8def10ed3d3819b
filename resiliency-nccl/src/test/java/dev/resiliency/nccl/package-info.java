@NullMarked
package dev.resiliency.nccl;

import org.jspecify.annotations.NullMarked;
