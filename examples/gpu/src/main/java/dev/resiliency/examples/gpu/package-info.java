/** Training and checks on GPUs. */
@NullMarked
package dev.resiliency.examples.gpu;

import org.jspecify.annotations.NullMarked;
