@NullMarked
package dev.resiliency.examples.digits;

import org.jspecify.annotations.NullMarked;
