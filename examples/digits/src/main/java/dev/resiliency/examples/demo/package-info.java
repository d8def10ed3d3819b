/** Trains on several ranks, each a process of its own, injects faults, and shows how the job recovers. */
@NullMarked
package dev.resiliency.examples.demo;

import org.jspecify.annotations.NullMarked;
