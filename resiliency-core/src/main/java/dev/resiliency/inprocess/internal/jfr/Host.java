package dev.resiliency.inprocess.internal.jfr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Identifies the host of this process by the kernel's names; empty where the kernel has none. Read once, on first use.
 * The boot is a number because the JDK's parser of recordings can lose texts of more than 16 and less than 128
 * characters.
 */
final class Host {
    private static final Path KERNEL = Path.of("/proc/sys/kernel");

    static final String NAME = read("hostname");
    static final long BOOT = numberOf(read("random/boot_id"));

    private Host() {}

    private static long numberOf(String bootId) {
        return bootId.isEmpty() ? 0 : UUID.fromString(bootId).getMostSignificantBits();
    }

    private static String read(String name) {
        try {
            return Files.readString(KERNEL.resolve(name)).strip();
        } catch (IOException unknown) {
            return "";
        }
    }
}
