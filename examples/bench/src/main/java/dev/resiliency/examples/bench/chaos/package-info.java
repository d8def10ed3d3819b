/**
 * Breaks jobs at random for a given time, and checks throughout that only the injected faults have effects.
 * {@code ChaosRun} runs one job after the other. In a {@code ChaosJob}, {@code Volleys} fire the strikes that the
 * {@code Dice} draw, wait until the {@code JobBoard} has settled, and let a {@code Judge} decide, while a
 * {@code Supervisor} starts again whatever has ended. The processes of the ranks run {@code ChaosRankCommand}, and reach
 * their store through a {@code Network} that fails at times. What else happens around a job, its {@code Surroundings}, must
 * change nothing in it.
 */
@NullMarked
package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.NullMarked;
