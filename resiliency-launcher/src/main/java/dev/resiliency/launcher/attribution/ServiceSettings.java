package dev.resiliency.launcher.attribution;

import java.net.URI;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * An attribution service, to which the log of a cycle is submitted.
 *
 * @param endpoint of HTTP or HTTPS
 * @param logOf returns the path of the log of a cycle
 * @param endsJob whether the job ends when the service recommends to stop
 * @param limit how long to wait for its answer
 * @param isOwn whether this agent runs it: then no other agent can ask it, and it knows what our reports say
 */
public record ServiceSettings(
        URI endpoint, IntFunction<String> logOf, boolean endsJob, Duration limit, boolean isOwn) {}
