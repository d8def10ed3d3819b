package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.LaunchConfig.StatusPage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a job serves its status page. */
final class StatusOptions {
    @Option(
            names = "--status-port",
            paramLabel = "PORT",
            description =
                    "Serve the status page and the metrics of the job at this port, on the node that hosts the store, or else on the first node; 0 for any free port. No page by default.")
    private @Nullable Integer port;

    @Option(
            names = "--status-address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "The address of that page; 0.0.0.0 for all of the host. Whoever reaches it can read, and change the job with the token of 'resiliency status --token' only; ${DEFAULT-VALUE} by default.")
    private String address = "127.0.0.1";

    /** Returns what was asked for; null for no page. */
    @Nullable
    StatusPage page() {
        return port == null ? null : new StatusPage(address, port);
    }
}
