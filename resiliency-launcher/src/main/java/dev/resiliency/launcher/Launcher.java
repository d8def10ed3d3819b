package dev.resiliency.launcher;

import dev.resiliency.launcher.agent.NodeAgent;
import java.util.List;
import java.util.Random;

/**
 * Runs the ranks of a job on this node, and starts them again when they fail: what {@code resiliency run} does, for a program that
 * embeds it.
 *
 * <pre>{@code
 * LaunchConfig config = LaunchConfig.builder().processes(8).build();
 * LaunchResult result = Launcher.run(config, List.of("java", "-jar", "train.jar"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Launcher {
    private Launcher() {}

    /**
     * Runs the agent of this node until the job has ended, or this node has left it. Meanwhile, SIGHUP, SIGINT and SIGTERM do not
     * end this process: the ranks receive them.
     *
     * @param command the program of each rank, and its arguments
     * @throws IllegalArgumentException if the id of the job is invalid
     * @throws UnsupportedOperationException if this system is not Linux
     * @throws InterruptedException if this thread is interrupted; the ranks are then killed
     */
    public static LaunchResult run(LaunchConfig config, List<String> command) throws InterruptedException {
        Random random = new Random();
        return new NodeAgent(config, startupFailures -> config.backoff().delay(startupFailures, random))
                .run(List.copyOf(command));
    }
}
