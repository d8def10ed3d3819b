package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ReportSettings.ManagedService;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What an attribution service asks besides its rules, and whom it tells. */
final class ModelOptions {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    @Option(
            names = "--attribution-llm-base-url",
            paramLabel = "URL",
            description =
                    "Lets the attribution service ask a language model behind this chat-completions API, as in https://host/v1; it sees excerpts of logs, with secrets hidden. By default it has rules alone.")
    private @Nullable URI address;

    @Option(names = "--attribution-llm-model", paramLabel = "MODEL", description = "The name of that model.")
    private @Nullable String name;

    @Option(
            names = "--attribution-llm-api-key-file",
            paramLabel = "FILE",
            description = "The file with the key of that API; by default LLM_API_KEY_FILE names it.")
    private @Nullable Path keyFile;

    @Option(
            names = "--attribution-export-url",
            paramLabel = "URL",
            description = "Posts each verdict of the attribution service to this address, as JSON. None by default.")
    private @Nullable URI export;

    boolean isAny() {
        return address != null || name != null || keyFile != null || export != null;
    }

    /**
     * Returns the settings of a service with these options.
     *
     * @throws IllegalArgumentException if they are invalid
     */
    ManagedService service(int port, Duration startup) {
        return new ManagedService(
                port,
                startup,
                checked("attribution-llm-base-url", address),
                name,
                keyFile,
                checked("attribution-export-url", export));
    }

    private static @Nullable URI checked(String option, @Nullable URI address) {
        if (address == null) {
            return null;
        }
        String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme) || address.getHost() == null) {
            throw new IllegalArgumentException(
                    "%s is '%s': it must be an address of HTTP or HTTPS".formatted(option, address));
        }
        return address;
    }
}
