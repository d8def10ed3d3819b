package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ReportSettings;
import dev.resiliency.launcher.ReportSettings.ManagedService;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What becomes of the reports about why a job was interrupted. */
final class ReportOptions {
    private static final String LOG = "log";
    private static final String STOP = "stop";
    /** What nvidia-resiliency-ext calls it. */
    private static final String NO_RESTART = "no-restart";

    @Option(
            names = "--report-dir",
            paramLabel = "DIRECTORY",
            description =
                    "Writes each report about an interruption of the job into this directory, too, as JSON and as text; see 'resiliency report'. None by default.")
    private @Nullable Path directory;

    @Option(
            names = "--attribution-endpoint",
            paramLabel = "URL",
            description =
                    "Submits the log of each interrupted cycle to this attribution service, over HTTP or HTTPS; localhost: to one that the agent on the host of the store runs, at port 50050 or that of localhost:PORT. Needs --per-cycle-applog-prefix. None by default.")
    private @Nullable String endpoint;

    @Option(
            names = "--attribution-stop-action",
            paramLabel = "ACTION",
            defaultValue = LOG,
            description =
                    "What happens when the service recommends to stop: log (nothing but a line and an event) or stop (the job ends with exit code 93); ${DEFAULT-VALUE} by default.")
    private String stopAction = LOG;

    @Option(
            names = "--attribution-timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description =
                    "How long to wait for the answer of the service, while the job goes on; ${DEFAULT-VALUE} by default.")
    private Duration limit = ReportSettings.DEFAULT_LIMIT;

    @Mixin
    private ManagedAttributionOptions managed = new ManagedAttributionOptions();

    @Option(
            names = "--kernel-log",
            paramLabel = "FILE",
            defaultValue = "/dev/kmsg",
            description =
                    "The device from which a report has the messages of the kernel, such as a GPU's XID, if this process may read it; ${DEFAULT-VALUE} by default. In a container, where the host's is mounted.")
    private Path kernelLog = ReportSettings.KERNEL_LOG;

    /**
     * Returns the settings.
     *
     * @param keepsLogs whether there is a log of each cycle
     * @throws IllegalArgumentException if they are invalid
     */
    ReportSettings settings(boolean keepsLogs) {
        if (endpoint != null && !keepsLogs) {
            throw new IllegalArgumentException(
                    "--attribution-endpoint submits the logs of cycles: name where they are kept with"
                            + " --per-cycle-applog-prefix");
        }
        boolean endsJob = stopAction.equals(STOP) || stopAction.equals(NO_RESTART);
        if (!endsJob && !stopAction.equals(LOG)) {
            throw new IllegalArgumentException(
                    "there is no --attribution-stop-action '%s': write log or stop".formatted(stopAction));
        }
        ManagedService service = managed.settings(endpoint);
        URI address = service != null
                ? URI.create("http://127.0.0.1:" + service.port())
                : endpoint == null ? null : ReportSettings.endpoint(endpoint);
        return new ReportSettings(directory, address, endsJob, limit, service, kernelLog);
    }

    /** Returns what was given and means nothing, for people. */
    List<String> withoutEffect() {
        return managed.withoutEffect(endpoint);
    }
}
