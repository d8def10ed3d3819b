package dev.resiliency.examples.bench.scale;

import java.util.List;

/**
 * A job into which many processes came at once.
 *
 * @param first nanoseconds of the restart that took in as many before, in the first job of the server
 * @param without nanoseconds of each counted restart without them, from the interruption to the last rank's new state
 * @param with nanoseconds of the restart that took them in
 * @param restarts how many restarts it took at most to take all of them in
 * @param joined how many came with the first of these
 */
record JoinSample(long first, List<Long> without, long with, int restarts, int joined) {}
