package dev.resiliency.launcher.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Looks for NVIDIA's driver and its devices. */
final class GpuCheck implements HostCheck {
    private static final String SUBJECT = "GPUs";

    private final Path driver;
    private final Path devices;

    /**
     * Creates a check.
     *
     * @param driver {@code /proc/driver/nvidia}
     * @param devices {@code /dev}
     */
    GpuCheck(Path driver, Path devices) {
        this.driver = driver;
        this.devices = devices;
    }

    @Override
    public Finding run() {
        if (!Files.exists(driver.resolve("version"))) {
            return Finding.ok(SUBJECT, "there is no NVIDIA driver");
        }
        try (Stream<Path> files = Files.list(devices)) {
            long count = files.filter(file -> file.getFileName().toString().matches("nvidia\\d+"))
                    .count();
            return count == 0
                    ? Finding.warning(
                            SUBJECT, "there is a driver, but no device: a container needs them passed on (--gpus all)")
                    : Finding.ok(SUBJECT, count + " with NVIDIA's driver");
        } catch (IOException e) {
            return Finding.warning(SUBJECT, "%s cannot be read: %s".formatted(devices, e.getMessage()));
        }
    }
}
