package dev.resiliency.launcher;

import dev.resiliency.launcher.config.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which checks a node must pass before its ranks start, and while they run. None by default.
 *
 * @param serviceSocket the Unix socket of the node health service; null for none
 * @param program an executable that checks the node, and its arguments; empty for none
 * @param gpuClassPath the class path of {@code resiliency-nccl}, with which GPUs and links are checked; null for no such check
 * @param distributedStorage whether Lustre and all mounts of Lustre and NFS are checked
 * @param storagePaths absolute paths that must be readable
 * @param minFreeDiskMebibytes how much space the directory for temporary files must have; 0 for no check
 * @param minFreeMemoryMebibytes how much memory must be available; 0 for no check
 * @param maxClockSkew how far the clock may be from that of the host of the store; zero for no check
 * @param timeout how long one check may take
 * @param interval how long after a check of a healthy node the next one begins; zero for none while ranks run
 * @param recheckInterval the same for a node that is unhealthy, and waits
 * @param unhealthyTimeout how long a node that is unhealthy waits, before it asks to be replaced
 * @since 0.1.0
 */
public record HealthSettings(
        @Nullable Path serviceSocket,
        List<String> program,
        @Nullable String gpuClassPath,
        boolean distributedStorage,
        List<Path> storagePaths,
        long minFreeDiskMebibytes,
        long minFreeMemoryMebibytes,
        Duration maxClockSkew,
        Duration timeout,
        Duration interval,
        Duration recheckInterval,
        Duration unhealthyTimeout) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is invalid; names it
     */
    public HealthSettings {
        program = List.copyOf(program);
        storagePaths = List.copyOf(storagePaths);
        if (serviceSocket != null && !serviceSocket.isAbsolute()) {
            throw new IllegalArgumentException(
                    "node-health-check-endpoint is '%s': it must be the absolute path of a Unix socket, as in /var/run/nvhcd.sock"
                            .formatted(serviceSocket));
        }
        for (Path path : storagePaths) {
            if (!path.isAbsolute()) {
                throw new IllegalArgumentException(
                        "storage-health-check-path has '%s': write absolute paths, with commas between them"
                                .formatted(path));
            }
        }
        notNegative("min-free-disk-mb", minFreeDiskMebibytes);
        notNegative("min-free-memory-mb", minFreeMemoryMebibytes);
        Durations.checked("max-clock-skew", maxClockSkew);
        positive("health-check-timeout", timeout);
        Durations.checked("health-check-interval", interval);
        positive("health-recheck-interval", recheckInterval);
        Durations.checked("unhealthy-timeout", unhealthyTimeout);
    }

    private static void notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("%s is %d: it must be at least 0".formatted(name, value));
        }
    }

    private static void positive(String name, Duration value) {
        if (Durations.checked(name, value).isZero()) {
            throw new IllegalArgumentException(name + " is 0: it must be positive");
        }
    }

    /** Returns a builder without any check. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects {@link HealthSettings}. Not safe for use by several threads. */
    public static final class Builder {
        private @Nullable Path serviceSocket;
        private List<String> program = List.of();
        private @Nullable String gpuClassPath;
        private boolean distributedStorage;
        private List<Path> storagePaths = List.of();
        private long minFreeDiskMebibytes;
        private long minFreeMemoryMebibytes;
        private Duration maxClockSkew = Duration.ZERO;
        private Duration timeout = Duration.ofMinutes(1);
        private Duration interval = Duration.ofMinutes(5);
        private Duration recheckInterval = Duration.ofSeconds(10);
        private Duration unhealthyTimeout = Duration.ofMinutes(10);

        private Builder() {}

        /** Sets the Unix socket of the node health service, which speaks gRPC (nvidia-resiliency-ext's protocol of {@code nvhcd}). */
        public Builder service(Path socket) {
            serviceSocket = socket;
            return this;
        }

        /** Sets an executable that checks the node, and its arguments: it exits with 0 on a healthy one. */
        public Builder program(List<String> command) {
            program = command;
            return this;
        }

        /**
         * Sets the class path of {@code resiliency-nccl}, with which GPUs, NVLinks and network links are checked, in a process of
         * its own.
         */
        public Builder gpus(String classPath) {
            gpuClassPath = classPath;
            return this;
        }

        /** Sets whether Lustre and all mounts of Lustre and NFS are checked. Not by default. */
        public Builder distributedStorage(boolean value) {
            distributedStorage = value;
            return this;
        }

        /** Sets absolute paths that must be readable. None by default. */
        public Builder storagePaths(List<Path> paths) {
            storagePaths = paths;
            return this;
        }

        /** Sets how much space the directory for temporary files must have, in MiB. 0, the default, for no check. */
        public Builder minFreeDisk(long mebibytes) {
            minFreeDiskMebibytes = mebibytes;
            return this;
        }

        /** Sets how much memory must be available, in MiB. 0, the default, for no check. */
        public Builder minFreeMemory(long mebibytes) {
            minFreeMemoryMebibytes = mebibytes;
            return this;
        }

        /** Sets how far the clock may be from that of the host of the store. Zero, the default, for no check. */
        public Builder maxClockSkew(Duration value) {
            maxClockSkew = value;
            return this;
        }

        /** Sets how long one check may take. 1 min by default. */
        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        /** Sets how often a node is checked while its ranks run; zero for not at all. 5 min by default. */
        public Builder interval(Duration value) {
            interval = value;
            return this;
        }

        /** Sets how often an unhealthy node is checked before its ranks start. 10 s by default. */
        public Builder recheckInterval(Duration value) {
            recheckInterval = value;
            return this;
        }

        /**
         * Sets how long a node may be unhealthy before its ranks start; then its agent ends with {@link ExitCode#REPLACE_HOST}.
         * 10 min by default.
         */
        public Builder unhealthyTimeout(Duration value) {
            unhealthyTimeout = value;
            return this;
        }

        /**
         * Returns the settings.
         *
         * @throws IllegalArgumentException if a value is invalid; names it
         */
        public HealthSettings build() {
            return new HealthSettings(
                    serviceSocket,
                    program,
                    gpuClassPath,
                    distributedStorage,
                    storagePaths,
                    minFreeDiskMebibytes,
                    minFreeMemoryMebibytes,
                    maxClockSkew,
                    timeout,
                    interval,
                    recheckInterval,
                    unhealthyTimeout);
        }
    }
}
