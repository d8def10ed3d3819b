/**
 * Calls a training function again, in the same process, when a rank of the job fails.
 *
 * <p>Start here, with the types that a first program and its first hooks need:
 *
 * <ul>
 *   <li>{@link Wrapper} calls the function, a {@link RestartableFunction}, on this rank.
 *   <li>{@link CallWrapper} is passed to the function: its {@link State}, a store, the heartbeat. Its methods throw
 *       {@link RestartSignal} in a restart; {@link RestartAbort}, thrown by the function, leaves the job.
 *   <li>{@link Initialize}, {@link Abort}, {@link Finalize} and {@link HealthCheck} are the hooks of a restart.
 *   <li>{@link RestartListener} is notified of restarts, with a {@link RestartReport} of each.
 * </ul>
 *
 * <p>Other types are for settings that most jobs leave alone, or are thrown when a rank leaves: the latter extend {@link
 * ResiliencyException}.
 */
@NullMarked
package dev.resiliency.inprocess;

import org.jspecify.annotations.NullMarked;
