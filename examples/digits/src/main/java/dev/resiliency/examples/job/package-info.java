/** Runs jobs whose ranks are processes of this machine. */
@NullMarked
package dev.resiliency.examples.job;

import org.jspecify.annotations.NullMarked;
