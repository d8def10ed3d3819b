package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ReportSettings.ManagedService;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the launcher runs an attribution service itself. */
final class ManagedAttributionOptions {
    private static final Pattern MANAGED = Pattern.compile("localhost(?::(\\d{1,5}))?");

    @Option(
            names = "--attribution-startup-timeout",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = DurationConverter.class,
            description =
                    "With --attribution-endpoint localhost: how long to wait until the service answers; ${DEFAULT-VALUE} by default. The job does not wait.")
    private Duration startup = ManagedService.DEFAULT_STARTUP;

    @Mixin
    private ModelOptions model = new ModelOptions();

    /**
     * Returns the settings; null if the launcher runs none.
     *
     * @throws IllegalArgumentException if they are invalid
     */
    @Nullable
    ManagedService settings(@Nullable String endpoint) {
        Matcher managed = MANAGED.matcher(endpoint == null ? "" : endpoint);
        if (!managed.matches()) {
            return null;
        }
        String port = managed.group(1);
        return model.service(port == null ? ManagedService.DEFAULT_PORT : Integer.parseInt(port), startup);
    }

    /** Returns what was given and means nothing, for people. */
    List<String> withoutEffect(@Nullable String endpoint) {
        boolean isManaged = MANAGED.matcher(endpoint == null ? "" : endpoint).matches();
        return isManaged || !model.isAny()
                ? List.of()
                : List.of("attribution-llm-... and attribution-export-url (only the service of --attribution-endpoint"
                        + " localhost has them)");
    }
}
