package dev.resiliency.store.tcp.internal.wire;

/** Checks port numbers. */
public final class Ports {
    public static final int MAX = 65535;

    private Ports() {}

    /** Returns the port if it is at least {@code lowest} and valid. */
    public static int checked(int port, int lowest) {
        if (port < lowest || port > MAX) {
            throw new IllegalArgumentException("port must be from %d to %d, not %d".formatted(lowest, MAX, port));
        }
        return port;
    }
}
