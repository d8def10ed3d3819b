@NullMarked
package dev.resiliency.examples.bench.scale;

import org.jspecify.annotations.NullMarked;
