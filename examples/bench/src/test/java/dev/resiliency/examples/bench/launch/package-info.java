@NullMarked
package dev.resiliency.examples.bench.launch;

import org.jspecify.annotations.NullMarked;
