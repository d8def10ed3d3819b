package dev.resiliency.inprocess.rank;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this host. */
final class HostName {
    private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    /**
     * Returns the kernel's name of this host or, if that cannot be read, the one that Java finds, possibly through a
     * name service.
     */
    static String get() throws IOException {
        return Files.isReadable(KERNEL)
                ? Files.readString(KERNEL).strip()
                : InetAddress.getLocalHost().getHostName();
    }
}
