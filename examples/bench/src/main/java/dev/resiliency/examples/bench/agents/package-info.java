/** Measures the rendezvous of many agents: simulated ones, without processes of ranks, over real connections to a real store. */
@NullMarked
package dev.resiliency.examples.bench.agents;

import org.jspecify.annotations.NullMarked;
