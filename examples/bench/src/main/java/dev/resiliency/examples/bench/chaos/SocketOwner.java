package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the process at the other end of a connection within this machine, as the kernel knows it. */
final class SocketOwner {
    // Fields of a line of /proc/net/tcp.
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private SocketOwner() {}

    /** Returns whether the process has a socket that is connected from one port to the other. */
    static boolean isOf(long pid, int localPort, int remotePort) {
        return inode(localPort, remotePort)
                .map(inode -> isOpenIn(pid, "socket:[" + inode + "]"))
                .orElse(false);
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
