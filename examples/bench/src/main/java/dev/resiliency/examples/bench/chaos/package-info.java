/**
 * Breaks jobs at random for a given time, and checks throughout that only the injected faults have effects.
 * {@code ChaosRun} runs one {@code ChaosJob} after the other, and a {@code Tally} counts. Each job keeps a {@code Timeline}, and
 * has its checkpoint, its steps and its iterations watched in the same way; its ranks run {@code ChaosRankCommand}.
 *
 * <p>The ranks of an {@code EmbeddedJob} are processes of this program. {@code Batches} inject the faults that the {@code ChaosPlan}
 * draws, wait until the {@code JobBoard} has settled, and let a {@code Judge} decide, while a {@code Supervisor} starts again
 * whatever has ended. They reach their store through a {@code RankNetwork} that fails at times. What else happens around a
 * job, its {@code Surroundings}, must change nothing in it.
 *
 * <p>The ranks of a {@code LaunchedJob} live under agents. The {@code LaunchedPlan} draws a {@code LaunchedBatch}, which names what must
 * end, with which exit codes, and which events must be written; all else must run on.
 */
@NullMarked
package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.NullMarked;
