@NullMarked
package dev.resiliency.examples.bench.store;

import org.jspecify.annotations.NullMarked;
