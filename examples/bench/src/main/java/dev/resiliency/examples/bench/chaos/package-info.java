/**
 * Breaks jobs at random for a given time, and checks throughout that only the injected faults have effects.
 * {@code ChaosRun} runs one {@code ChaosJob} after the other, and a {@code Tally} counts. A job is hit by one {@code Batch} of
 * faults after the other, which its {@code Plan} draws. The {@code Board} has what all processes have reported; the steps
 * and the iterations of their training are watched all the time. Ranks run {@code ChaosRankCommand}.
 *
 * <p>The ranks of an {@code OwnJob} are processes of this program. {@code JobProcesses} starts again whatever has ended; each
 * process reaches the store through a {@code RankNetwork} that fails at times. The {@code Judge} compares what the survivors report
 * with the faults.
 *
 * <p>Those of an {@code AgentJob} live under agents, which the {@code AgentFleet} starts and breaks. An {@code AgentOutcome} names what
 * must end with a batch, with which exit codes, and which events must be written; all else must run on.
 */
@NullMarked
package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.NullMarked;
