package dev.resiliency.inprocess.spi.socket;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * Tells whether the process at the other end of a connection within this host belongs to the user of this one.
 *
 * @since 0.1.0
 */
public final class LocalUser {
    private static final Path TABLES = Path.of("/proc/net");
    // Fields of a line of /proc/net/tcp.
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int USER = 7;
    /** The kernel may skip a line of a table that changes while it is read. */
    private static final int ATTEMPTS = 3;

    private LocalUser() {}

    /** Returns whether the kernel says so; false if it cannot be asked. */
    public static boolean owns(Socket accepted) {
        try {
            String own = Objects.toString(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            for (int i = 0; i < ATTEMPTS; i++) {
                for (String table : List.of("tcp", "tcp6")) {
                    for (String line : Files.readAllLines(TABLES.resolve(table))) {
                        if (isOtherEnd(line, accepted.getPort(), accepted.getLocalPort())) {
                            return own.equals(fields(line)[USER]);
                        }
                    }
                }
            }
            return false;
        } catch (IOException | UnsupportedOperationException notLinux) {
            LoopbackServer.LOG.warn("cannot find out who connects to a port of this process: {}", notLinux.toString());
            return false;
        }
    }

    /** Returns whether a line is about a socket that is connected from one port to the other. */
    static boolean isOtherEnd(String line, int localPort, int remotePort) {
        String[] fields = fields(line);
        return fields.length > USER
                && fields[LOCAL].endsWith(hex(localPort))
                && fields[REMOTE].endsWith(hex(remotePort));
    }

    private static String[] fields(String line) {
        return line.strip().split("\\s+", -1);
    }

    private static String hex(int port) {
        return ":" + HexFormat.of().withUpperCase().toHexDigits((short) port);
    }
}
