@NullMarked
package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.NullMarked;
