package dev.resiliency.launcher.it;

import dev.resiliency.launcher.Backoff;
import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.LaunchConfig.StatusPage;
import dev.resiliency.launcher.Launcher;
import dev.resiliency.launcher.LogSettings;
import dev.resiliency.launcher.ReportSettings;
import dev.resiliency.launcher.ReportSettings.ManagedService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs ranks, which fail once, with reports, log files and a status page, in the directory that is its first argument.
 * Others may be {@code attribution} and {@code log-server}, for these servers. Exits as the launcher does.
 */
final class EmbeddingProgram {
    private EmbeddingProgram() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Set<String> servers = Set.of(arguments);
        @Nullable
        ManagedService service = servers.contains("attribution")
                ? new ManagedService(ManagedService.DEFAULT_PORT, Duration.ofSeconds(20), null, null, null, null)
                : null;
        LaunchConfig config = LaunchConfig.builder()
                .processes(2)
                .backoff(new Backoff(Duration.ZERO, Duration.ofSeconds(1)))
                .statusPage(new StatusPage("127.0.0.1", 0))
                .reports(new ReportSettings(
                        directory, null, false, ReportSettings.DEFAULT_LIMIT, service, ReportSettings.KERNEL_LOG))
                .logs(new LogSettings(
                        directory.resolve("train.log"), servers.contains("log-server"), LogSettings.DEFAULT_PORT, null))
                .runDirectory(directory.resolve("run"))
                .build();
        System.exit(Launcher.run(config, List.of("sh", "-c", "exit $((17 * (TORCHELASTIC_RESTART_COUNT == 0)))"))
                .exitCode());
    }
}
