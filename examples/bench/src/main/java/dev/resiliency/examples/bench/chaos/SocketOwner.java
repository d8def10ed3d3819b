package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
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
        return table().filter(
                        fields -> fields[LOCAL].endsWith(hex(localPort)) && fields[REMOTE].endsWith(hex(remotePort)))
                .findFirst()
                .map(fields -> sockets(pid).anyMatch(nameOf(fields)::equals))
                .orElse(false);
    }

    /** Returns the addresses at which these processes listen. */
    static Set<InetSocketAddress> listening(Stream<ProcessHandle> processes) {
        Map<String, InetSocketAddress> bySocket = new HashMap<>();
        table().filter(fields -> fields[STATE].equals(LISTENS))
                .forEach(fields -> bySocket.put(nameOf(fields), address(fields[LOCAL])));
        return processes
                .flatMap(process -> sockets(process.pid()))
                .map(bySocket::get)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    /** Returns the fields of each socket of this machine. */
    private static Stream<String[]> table() {
        return Stream.of("tcp", "tcp6")
                .flatMap(protocol -> {
                    try {
                        return Files.readAllLines(Path.of("/proc/net", protocol)).stream();
                    } catch (IOException absent) {
                        return Stream.empty();
                    }
                })
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length > INODE);
    }

    /** Returns what the descriptor of a socket is a link to. */
    private static String nameOf(String[] fields) {
        return "socket:[" + fields[INODE] + "]";
    }

    private static String hex(int port) {
        return ":" + HexFormat.of().withUpperCase().toHexDigits((short) port);
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

    /** Returns the names of the sockets that a process has open; none if it has ended. */
    static Stream<String> sockets(long pid) {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.flatMap(SocketOwner::target).toList().stream();
        } catch (IOException | UncheckedIOException ended) {
            return Stream.empty();
        }
    }

    private static Stream<String> target(Path link) {
        try {
            String target = Files.readSymbolicLink(link).toString();
            return target.startsWith("socket:") ? Stream.of(target) : Stream.empty();
        } catch (IOException closed) {
            return Stream.empty();
        }
    }
}
