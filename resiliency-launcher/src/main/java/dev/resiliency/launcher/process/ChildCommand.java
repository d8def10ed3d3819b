package dev.resiliency.launcher.process;

import java.util.List;
import java.util.Map;

/**
 * What to start.
 *
 * @param command the program and its arguments
 * @param environment added to the environment of this process
 */
public record ChildCommand(List<String> command, Map<String, String> environment) {
    /** Copies the collections. */
    public ChildCommand {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("there is no command to start");
        }
    }
}
