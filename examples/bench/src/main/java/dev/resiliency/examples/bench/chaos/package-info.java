/**
 * Breaks jobs at random for as long as it is told to, and checks all along that nothing happens to them but what was done
 * to them. {@code ChaosRun} runs one job after the other; a {@code ChaosJob} fires volleys of strikes that the {@code Dice}
 * draw, waits until its {@code JobBoard} has settled, and has a {@code Judge} look at it. The processes of the ranks run
 * {@code ChaosRankCommand}.
 */
@NullMarked
package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.NullMarked;
