/**
 * Breaks jobs at random for a given time, and checks throughout that only the injected faults have effects.
 * {@code ChaosRun} runs one job after the other; a {@code ChaosJob} fires volleys of strikes that the {@code Dice} draw,
 * waits until its {@code JobBoard} has settled, and lets a {@code Judge} decide. The processes of the ranks run
 * {@code ChaosRankCommand}, and reach their store through a {@code Network} that fails at times. What else happens around
 * a job, its {@code Surroundings}, must change nothing in it.
 */
@NullMarked
package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.NullMarked;
