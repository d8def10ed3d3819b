/** Measures how long a launched job takes to replace a rank: real agents, real ranks, one SIGKILL each. */
@NullMarked
package dev.resiliency.examples.bench.launch;

import org.jspecify.annotations.NullMarked;
