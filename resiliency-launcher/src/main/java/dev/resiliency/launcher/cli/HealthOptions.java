package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.HealthSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which checks a node must pass. The paths have one name on the command line of nvidia-resiliency-ext, and another in its files. */
final class HealthOptions {
    @Option(
            names = "--node-health-check-endpoint",
            paramLabel = "SOCKET",
            converter = EndpointConverter.class,
            description =
                    "The Unix socket of the node health service, which speaks gRPC: /var/run/nvhcd.sock or unix:///var/run/nvhcd.sock. None by default.")
    private @Nullable Path endpoint;

    @Option(
            names = "--node-health-check-command",
            paramLabel = "COMMAND",
            description =
                    "An executable that checks this node, and its arguments, with spaces between: exits with 0 if it is healthy. None by default.")
    private @Nullable String command;

    @Option(
            names = "--gpu-health-check-classpath",
            paramLabel = "CLASSPATH",
            description =
                    "Check GPUs, NVLinks, XIDs and network links with resiliency-nccl, whose jars and dependencies these are, with colons between. None by default.")
    private @Nullable String gpuClassPath;

    @Option(
            names = "--enable-dist-storage-healthcheck",
            paramLabel = "BOOLEAN",
            arity = "1",
            defaultValue = "false",
            converter = BooleanConverter.class,
            description =
                    "Whether to check Lustre and all mounts of Lustre and NFS: true or false; ${DEFAULT-VALUE} by default.")
    private Boolean distributedStorage = false;

    @Option(
            names = "--storage-healthcheck-path",
            paramLabel = "PATHS",
            description = "Absolute paths that must be readable, with commas between. None by default.")
    private @Nullable String storagePaths;

    @Option(
            names = "--min-free-disk-mb",
            paramLabel = "MIB",
            defaultValue = "0",
            description =
                    "How much space the directory for temporary files must have; ${DEFAULT-VALUE}, the default, for no check.")
    private long minFreeDiskMebibytes;

    @Option(
            names = "--min-free-memory-mb",
            paramLabel = "MIB",
            defaultValue = "0",
            description = "How much memory must be available; ${DEFAULT-VALUE}, the default, for no check.")
    private long minFreeMemoryMebibytes;

    @Option(
            names = "--max-clock-skew",
            paramLabel = "TIME",
            defaultValue = "0",
            converter = DurationConverter.class,
            description =
                    "How far the clock may be from that of the store's host, if an agent or 'resiliency store' hosts the store; ${DEFAULT-VALUE}, the default, for no check.")
    private Duration maxClockSkew = Duration.ZERO;

    @Option(
            names = "--health-check-timeout",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = DurationConverter.class,
            description = "How long each of these checks may take; ${DEFAULT-VALUE} by default.")
    private Duration timeout = Duration.ZERO;

    /** Returns the settings, with the default intervals. */
    HealthSettings.Builder settings() {
        HealthSettings.Builder settings = HealthSettings.builder()
                .distributedStorage(distributedStorage)
                .minFreeDisk(minFreeDiskMebibytes)
                .minFreeMemory(minFreeMemoryMebibytes)
                .maxClockSkew(maxClockSkew)
                .timeout(timeout);
        if (endpoint != null) {
            settings.service(endpoint);
        }
        if (command != null) {
            settings.program(List.of(command.strip().split("\\s+", -1)));
        }
        if (gpuClassPath != null) {
            settings.gpus(gpuClassPath);
        }
        if (storagePaths != null) {
            settings.storagePaths(Arrays.stream(storagePaths.split(",", -1))
                    .map(path -> Path.of(path.strip()))
                    .toList());
        }
        return settings;
    }

    /** Reads the address of a Unix socket. */
    static final class EndpointConverter implements ITypeConverter<Path> {
        private static final String SCHEME = "unix";

        @Override
        public Path convert(String value) {
            if (value.startsWith("/")) {
                return Path.of(value);
            }
            try {
                URI uri = URI.create(value);
                String path = uri.getPath();
                if (SCHEME.equals(uri.getScheme()) && uri.getHost() == null && path != null && path.startsWith("/")) {
                    return Path.of(path);
                }
            } catch (IllegalArgumentException noUri) {
                // The message below says what is valid.
            }
            throw new TypeConversionException(
                    "'%s' is no Unix socket: write its absolute path, as in /var/run/nvhcd.sock or unix:///var/run/nvhcd.sock"
                            .formatted(value));
        }
    }
}
