/**
 * Breaks jobs at random for a given time, and checks throughout that only the injected faults have effects.
 * {@code ChaosRun} runs one {@code ChaosJob} after the other, and a {@code Tally} counts. A job lets one {@code Batch} of
 * faults after the other, which the {@code ChaosPlan} draws, hit its {@code Ranks}. The {@code Board} has what all processes have
 * reported; its checkpoint, its steps and its iterations are watched all the time. Ranks run {@code ChaosRankCommand}.
 *
 * <p>{@code OwnRanks} are processes of this program. A {@code Supervisor} starts again whatever has ended; each process reaches the
 * store through a {@code RankNetwork} that fails at times. The {@code Judge} compares what the survivors report with the faults.
 *
 * <p>{@code AgentRanks} live under agents, which the {@code AgentFleet} starts and breaks as a {@code NodePlan} draws. An
 * {@code AgentOutcome} names what must end with a batch, with which exit codes, and which events must be written; all else must
 * run on.
 */
@NullMarked
package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.NullMarked;
