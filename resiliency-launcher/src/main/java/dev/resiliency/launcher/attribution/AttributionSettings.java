package dev.resiliency.launcher.attribution;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent looks for the causes of faults, and what it does with its reports.
 *
 * @param jobId the name of the job
 * @param node the name of this node
 * @param processes how many ranks each node has
 * @param spares how many processes beside them: with some, the world may be whole while a process waits that has started again
 * @param command that each rank runs
 * @param reports into which reports are written, too; null for none
 * @param kernelLog a device or pipe with the records of the kernel
 * @param service to which cycles are submitted; null for none
 */
public record AttributionSettings(
        String jobId,
        String node,
        int processes,
        int spares,
        List<String> command,
        @Nullable Path reports,
        Path kernelLog,
        @Nullable ServiceSettings service) {

    /** Copies the command. */
    public AttributionSettings {
        command = List.copyOf(command);
    }
}
