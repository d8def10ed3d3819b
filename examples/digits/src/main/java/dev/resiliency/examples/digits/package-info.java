/** A data-parallel training of a small network on handwritten digits, written to be restarted in process. */
@NullMarked
package dev.resiliency.examples.digits;

import org.jspecify.annotations.NullMarked;
