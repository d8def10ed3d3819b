/** Training and checks on a GPU. */
@NullMarked
package dev.resiliency.examples.gpu;

import org.jspecify.annotations.NullMarked;
