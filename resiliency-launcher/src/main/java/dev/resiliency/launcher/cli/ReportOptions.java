package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ReportSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What becomes of the reports about why a job was interrupted. */
final class ReportOptions {
    private static final String LOG = "log";
    private static final String STOP = "stop";

    @Option(
            names = {"--report-dir", "--report_dir"},
            paramLabel = "DIRECTORY",
            description =
                    "Writes each report about an interruption of the job into this directory, too, as JSON and as text; see 'resiliency report'. None by default.")
    private @Nullable Path directory;

    @Option(
            names = {
                "--attribution-endpoint",
                "--attribution_endpoint",
                "--ft-attribution-endpoint",
                "--ft_attribution_endpoint"
            },
            paramLabel = "URL",
            description =
                    "Submits the log of each interrupted cycle to this attribution service, over HTTP or HTTPS; needs --per-cycle-applog-prefix. None by default.")
    private @Nullable String endpoint;

    @Option(
            names = {
                "--attribution-stop-action",
                "--attribution_stop_action",
                "--ft-attribution-stop-action",
                "--ft_attribution_stop_action"
            },
            paramLabel = "ACTION",
            defaultValue = LOG,
            description =
                    "What happens when the service recommends to stop: log (nothing but a line and an event) or stop (the job ends with exit code 93); ${DEFAULT-VALUE} by default.")
    private String stopAction = LOG;

    @Option(
            names = {"--attribution-timeout", "--attribution_timeout"},
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description =
                    "How long to wait for the answer of the service, while the job goes on; ${DEFAULT-VALUE} by default.")
    private Duration limit = ReportSettings.DEFAULT_LIMIT;

    @Option(
            names = {"--kernel-log", "--kernel_log"},
            paramLabel = "FILE",
            defaultValue = "/dev/kmsg",
            description =
                    "The device from which a report has the messages of the kernel, such as a GPU's XID, if this process may read it; ${DEFAULT-VALUE} by default. In a container, where the host's is mounted.")
    private Path kernelLog = ReportSettings.KERNEL_LOG;

    /** Of a service that nvidia-resiliency-ext's launcher runs itself. */
    @Option(
            names = {
                "--ft-attribution-llm-api-key-file",
                "--ft_attribution_llm_api_key_file",
                "--ft-attribution-llm-base-url",
                "--ft_attribution_llm_base_url",
                "--ft-attribution-llm-model",
                "--ft_attribution_llm_model",
                "--ft-attribution-startup-timeout",
                "--ft_attribution_startup_timeout",
                "--ft-attribution-export-url",
                "--ft_attribution_export_url"
            },
            hidden = true)
    private @Nullable String ofManagedService;

    /**
     * Returns the settings.
     *
     * @param keepsLogs whether there is a log of each cycle
     * @throws IllegalArgumentException if they are invalid
     */
    ReportSettings settings(boolean keepsLogs) {
        if (ofManagedService != null) {
            throw new IllegalArgumentException(
                    "--ft-attribution-llm-…, -startup-timeout and -export-url belong to a service that the launcher of"
                            + " nvidia-resiliency-ext runs itself: give them to the service that you start, and name it with"
                            + " --attribution-endpoint");
        }
        if (endpoint != null && !keepsLogs) {
            throw new IllegalArgumentException(
                    "--attribution-endpoint submits the logs of cycles: name where they are kept with"
                            + " --per-cycle-applog-prefix");
        }
        if (!stopAction.equals(LOG) && !stopAction.equals(STOP)) {
            throw new IllegalArgumentException(
                    "there is no --attribution-stop-action '%s': write log or stop".formatted(stopAction));
        }
        return new ReportSettings(
                directory,
                endpoint == null ? null : ReportSettings.endpoint(endpoint),
                stopAction.equals(STOP),
                limit,
                kernelLog);
    }
}
