package dev.resiliency.launcher;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the reports about why a job was interrupted, besides the store, which always keeps the last ones.
 *
 * @param directory into which they are written; null for none
 * @param endpoint an attribution service to which the log of each interrupted cycle is submitted; null for none
 * @param endsJob whether the job ends when that service recommends to stop
 * @param limit how long to wait for its answer; the job goes on meanwhile
 * @param kernelLog a device or pipe with the records of the kernel, as {@code /dev/kmsg}
 * @since 0.1.0
 */
public record ReportSettings(
        @Nullable Path directory, @Nullable URI endpoint, boolean endsJob, Duration limit, Path kernelLog) {
    /** How long to wait for an answer by default. */
    public static final Duration DEFAULT_LIMIT = Duration.ofMinutes(10);

    /** Where the kernel's log is by default. */
    public static final Path KERNEL_LOG = Path.of("/dev/kmsg");

    /** Keeps reports in the store only. */
    public static final ReportSettings DEFAULT = new ReportSettings(null, null, false, DEFAULT_LIMIT, KERNEL_LOG);

    private static final Set<String> SCHEMES = Set.of("http", "https");
    private static final String MANAGED = "localhost";

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is invalid, or contradicts another; names it
     */
    public ReportSettings {
        if (endpoint != null) {
            check(endpoint);
        } else if (endsJob) {
            throw new IllegalArgumentException(
                    "attribution-stop-action is 'stop', but no attribution service can recommend it: see"
                            + " --attribution-endpoint");
        }
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("attribution-timeout must be positive");
        }
    }

    /**
     * Parses an endpoint as people write it.
     *
     * @throws IllegalArgumentException if this program cannot use it; says what to do
     */
    public static URI endpoint(String text) {
        if (text.equals(MANAGED)) {
            throw new IllegalArgumentException(
                    "attribution-endpoint is 'localhost', which asks the launcher to run a service that reads logs with a"
                            + " language model: this launcher runs none. Start such a service, and name it as in"
                            + " --attribution-endpoint http://127.0.0.1:50050. The launcher's own reports need none: see"
                            + " 'resiliency report'");
        }
        try {
            URI endpoint = new URI(text);
            check(endpoint);
            return endpoint;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "attribution-endpoint '%s' is no address: %s".formatted(text, e.getReason()), e);
        }
    }

    private static void check(URI endpoint) {
        String scheme = endpoint.getScheme() == null ? "" : endpoint.getScheme().toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme) || endpoint.getHost() == null) {
            throw new IllegalArgumentException(
                    "attribution-endpoint is '%s': logs are submitted over HTTP or HTTPS only, as in http://attribution.internal:8000"
                            .formatted(endpoint));
        }
    }
}
