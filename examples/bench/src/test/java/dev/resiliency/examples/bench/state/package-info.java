@NullMarked
package dev.resiliency.examples.bench.state;

import org.jspecify.annotations.NullMarked;
