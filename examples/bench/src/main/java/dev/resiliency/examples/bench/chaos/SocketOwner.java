package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the processes of sockets within this machine, as the kernel knows them. */
final class SocketOwner {
    // Fields of a line of /proc/net/tcp.
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private static final String LISTENS = "0A";
    /** Hexadecimal digits of an address of IPv4, and where it ends one of IPv6. */
    private static final int ADDRESS_DIGITS = 8;

    private SocketOwner() {}

    /** Returns whether the process has a socket that is connected from one port to the other. */
    static boolean isOf(long pid, int localPort, int remotePort) {
        return inode(localPort, remotePort)
                .map(inode -> isOpenIn(pid, "socket:[" + inode + "]"))
                .orElse(false);
    }

    /** Returns the addresses at which these processes listen. */
    static Set<InetSocketAddress> listening(Stream<ProcessHandle> processes) {
        Map<String, InetSocketAddress> bySocket = new HashMap<>();
        Stream.of("tcp", "tcp6")
                .flatMap(protocol -> lines(Path.of("/proc/net", protocol)).stream())
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length > INODE && fields[STATE].equals(LISTENS))
                .forEach(fields -> bySocket.put("socket:[" + fields[INODE] + "]", address(fields[LOCAL])));
        return processes
                .flatMap(process -> sockets(process.pid()))
                .map(bySocket::get)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    /** The kernel writes addresses as numbers, the lowest byte first; that of all interfaces includes loopback. */
    private static InetSocketAddress address(String text) {
        int end = text.indexOf(':');
        int number = Integer.parseUnsignedInt(text.substring(end - ADDRESS_DIGITS, end), 16);
        String host = number == 0
                ? "127.0.0.1"
                : "%d.%d.%d.%d".formatted(number & 0xff, number >>> 8 & 0xff, number >>> 16 & 0xff, number >>> 24);
        return new InetSocketAddress(host, Integer.parseInt(text.substring(end + 1), 16));
    }

    private static Stream<String> sockets(long pid) {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.map(SocketOwner::target).toList().stream();
        } catch (IOException | UncheckedIOException ended) {
            return Stream.empty();
        }
    }

    private static Optional<String> inode(int localPort, int remotePort) {
        return Stream.of("tcp", "tcp6")
                .flatMap(protocol -> lines(Path.of("/proc/net", protocol)).stream())
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length > INODE
                        && fields[LOCAL].endsWith(port(localPort))
                        && fields[REMOTE].endsWith(port(remotePort)))
                .map(fields -> fields[INODE])
                .findFirst();
    }

    private static String port(int port) {
        return ":" + HexFormat.of().withUpperCase().toHexDigits((short) port);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException absent) {
            return List.of();
        }
    }

    private static boolean isOpenIn(long pid, String socket) {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.anyMatch(descriptor -> socket.equals(target(descriptor)));
        } catch (IOException ended) {
            return false;
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
