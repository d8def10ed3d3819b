package dev.resiliency.examples.bench.launch;

/**
 * Times of one replacement, in nanoseconds.
 *
 * @param total from the SIGKILL until the function runs on as many ranks as before
 * @param untilLaunch of that, until the agent has started a process, its pause included; 0 if none was needed
 * @param programStart of that, until the program of the last new process has begun; 0 if none was needed
 */
record LaunchTimes(long total, long untilLaunch, long programStart) {}
