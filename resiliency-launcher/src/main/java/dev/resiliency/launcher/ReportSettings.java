package dev.resiliency.launcher;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Destinations of the reports about why a job was interrupted, besides the store, which always keeps the last ones.
 *
 * @param directory into which they are written; null for none
 * @param endpoint an attribution service to which the log of each interrupted cycle is submitted; null for none
 * @param endsJob whether the job ends when that service recommends to stop
 * @param limit how long to wait for its answer; the job goes on meanwhile
 * @param managed the service, if the launcher runs it itself; then {@code endpoint} is its address
 * @param kernelLog a device or pipe with the records of the kernel, as {@code /dev/kmsg}
 * @since 0.1.0
 */
public record ReportSettings(
        @Nullable Path directory,
        @Nullable URI endpoint,
        boolean endsJob,
        Duration limit,
        @Nullable ManagedService managed,
        Path kernelLog) {
    /** How long to wait for an answer by default. */
    public static final Duration DEFAULT_LIMIT = Duration.ofMinutes(10);

    /** Where the kernel's log is by default. */
    public static final Path KERNEL_LOG = Path.of("/dev/kmsg");

    /** Keeps reports in the store only. */
    public static final ReportSettings DEFAULT = new ReportSettings(null, null, false, DEFAULT_LIMIT, null, KERNEL_LOG);

    private static final Set<String> USABLE = Set.of("http", "https");
    /** Of services that nvidia-resiliency-ext may name. */
    private static final Set<String> KNOWN = Set.of("http", "https", "grpc", "unix");

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
     * @throws IllegalArgumentException if it is none
     */
    public static URI endpoint(String text) {
        try {
            URI endpoint = new URI(text);
            check(endpoint);
            return endpoint;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "attribution-endpoint '%s' is no address: %s".formatted(text, e.getReason()), e);
        }
    }

    private static String scheme(URI endpoint) {
        return endpoint.getScheme() == null ? "" : endpoint.getScheme().toLowerCase(Locale.ROOT);
    }

    private static void check(URI endpoint) {
        String scheme = scheme(endpoint);
        if (!KNOWN.contains(scheme) || (USABLE.contains(scheme) && endpoint.getHost() == null)) {
            throw new IllegalArgumentException(
                    "attribution-endpoint is '%s': logs are submitted over HTTP or HTTPS, as to http://attribution.internal:8000, or to the service that the launcher runs for localhost"
                            .formatted(endpoint));
        }
    }

    /** Returns whether logs can be submitted to the endpoint: another launcher may have given it one of another scheme. */
    public boolean isUsable() {
        return endpoint != null && USABLE.contains(scheme(endpoint));
    }

    /**
     * The attribution service that the agent on the host of the store runs, with {@code --attribution-endpoint localhost}.
     *
     * @param port of the loopback address at which it listens
     * @param startup how long to wait until it answers
     * @param modelAddress the base of a chat-completions API, such as {@code https://host/v1}; null for rules alone
     * @param model the name of a language model; null for rules alone
     * @param keyFile contains the key of that API; null if {@code LLM_API_KEY_FILE} names it, or no model is asked
     * @param export where each verdict is posted; null for nowhere
     */
    public record ManagedService(
            int port,
            Duration startup,
            @Nullable URI modelAddress,
            @Nullable String model,
            @Nullable Path keyFile,
            @Nullable URI export) {
        /** The port of the service by default, as nvidia-resiliency-ext's. */
        public static final int DEFAULT_PORT = 50_050;

        /** How long to wait for it by default. */
        public static final Duration DEFAULT_STARTUP = Duration.ofSeconds(20);

        /** The environment variable that names the file with the key, as for nvidia-resiliency-ext. */
        public static final String KEY_VARIABLE = "LLM_API_KEY_FILE";

        private static final int HIGHEST_PORT = 65_535;

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if one is invalid, or contradicts another; names it
         */
        public ManagedService {
            if (port < 1 || port > HIGHEST_PORT) {
                throw new IllegalArgumentException(
                        "attribution-endpoint names port %d: it must be from 1 to 65535".formatted(port));
            }
            if (startup.isNegative() || startup.isZero()) {
                throw new IllegalArgumentException("attribution-startup-timeout must be positive");
            }
            if ((modelAddress == null) != (model == null)) {
                throw new IllegalArgumentException(
                        "a language model needs both --attribution-llm-base-url and --attribution-llm-model");
            }
            if (keyFile != null && model == null) {
                throw new IllegalArgumentException(
                        "--attribution-llm-api-key-file is the key of a language model: name that with"
                                + " --attribution-llm-base-url and --attribution-llm-model");
            }
        }

        /** Returns the file with the key: this one, or that of {@link #KEY_VARIABLE}; null if there is none. */
        public @Nullable Path keyFile(Map<String, String> variables) {
            String named = variables.getOrDefault(KEY_VARIABLE, "");
            return keyFile != null || named.isEmpty() ? keyFile : Path.of(named);
        }

        /** Returns by what the service judges, for people: {@code rules alone}. */
        public String sources() {
            return model == null ? "rules alone" : "rules and the model " + model;
        }

        /** Returns what is wrong with the file of the key; null if nothing is, or no model is asked. */
        public @Nullable String problemOfKey(Map<String, String> variables) {
            Path file = keyFile(variables);
            if (model == null || (file != null && Files.isReadable(file))) {
                return null;
            }
            return file == null
                    ? "the attribution service cannot ask %s without a key: name its file with --attribution-llm-api-key-file, or with %s"
                            .formatted(model, KEY_VARIABLE)
                    : "the attribution service cannot ask %s, as its key cannot be read: %s".formatted(model, file);
        }
    }
}
