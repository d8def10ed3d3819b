/** The programs that the tests of this module run as ranks. */
@NullMarked
package dev.resiliency.testing.it;

import org.jspecify.annotations.NullMarked;
