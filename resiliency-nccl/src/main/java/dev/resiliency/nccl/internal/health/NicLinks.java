package dev.resiliency.nccl.internal.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads the links of this host's network devices from the files of the kernel.
 *
 * <pre>
 * class/infiniband/mlx5_0/ports/1/state   4: ACTIVE
 * class/net/eth0/operstate                up          read only if class/net/eth0/device exists: not for lo or veth
 * class/net/eth1/device/physfn                        a virtual function: ignored, it may move to a container
 * class/net/usb0/device/subsystem         bus/usb     ignored: it leads to the board's controller
 * </pre>
 */
final class NicLinks {
    private static final String INFINIBAND_UP = "4: ACTIVE";
    private static final String ETHERNET_UP = "up";

    private final Path sysfs;

    /** Creates a reader; {@code sysfs} is {@code /sys}, or a copy of its structure in tests. */
    NicLinks(Path sysfs) {
        this.sysfs = sysfs;
    }

    /** A link and the contents of its file. */
    record Link(Path file, String state) {
        boolean isUp() {
            return state.equals(INFINIBAND_UP) || state.equals(ETHERNET_UP);
        }
    }

    /** Returns all links by name: {@code eth0}, {@code mlx5_0 port 1}. */
    Map<String, Link> read() throws IOException {
        Map<String, Link> links = new TreeMap<>();
        for (Path device : physical("class/infiniband")) {
            for (Path port : entries(device.resolve("ports"))) {
                put(links, device.getFileName() + " port " + port.getFileName(), port.resolve("state"));
            }
        }
        for (Path device : physical("class/net")) {
            if (Files.exists(device.resolve("device"))) {
                put(links, device.getFileName().toString(), device.resolve("operstate"));
            }
        }
        return links;
    }

    /** Returns the devices that belong to the host itself. */
    private List<Path> physical(String kind) throws IOException {
        return entries(sysfs.resolve(kind)).stream()
                .filter(device -> !isVirtualFunction(device) && !isUsb(device))
                .toList();
    }

    private static boolean isVirtualFunction(Path device) {
        return Files.exists(device.resolve("device/physfn"));
    }

    private static boolean isUsb(Path device) {
        try {
            return device.resolve("device/subsystem").toRealPath().endsWith("usb");
        } catch (IOException absent) {
            return false;
        }
    }

    /** Guards against the race with a device that vanishes after the listing: it has no link. */
    private static void put(Map<String, Link> links, String name, Path file) throws IOException {
        try {
            links.put(name, new Link(file, Files.readString(file).strip()));
        } catch (NoSuchFileException vanished) {
            links.remove(name);
        }
    }

    /** Returns no entries if the directory is missing: a host may lack InfiniBand. */
    private static List<Path> entries(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (NoSuchFileException | NotDirectoryException absent) {
            return List.of();
        }
    }
}
