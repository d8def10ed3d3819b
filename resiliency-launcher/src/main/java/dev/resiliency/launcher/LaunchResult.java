package dev.resiliency.launcher;

/**
 * How a launch has ended.
 *
 * @param exitCode for this process, as {@link ExitCode} and the guide say
 * @param reason in one sentence, for people
 * @since 0.1.0
 */
public record LaunchResult(int exitCode, String reason) {}
