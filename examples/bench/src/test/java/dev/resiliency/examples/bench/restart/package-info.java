@NullMarked
package dev.resiliency.examples.bench.restart;

import org.jspecify.annotations.NullMarked;
