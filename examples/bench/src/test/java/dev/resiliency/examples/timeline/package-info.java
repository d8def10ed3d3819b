@NullMarked
package dev.resiliency.examples.timeline;

import org.jspecify.annotations.NullMarked;
