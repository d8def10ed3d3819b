@NullMarked
package dev.resiliency.nccl.it;

import org.jspecify.annotations.NullMarked;
