package dev.resiliency.store.tcp.internal.wire;

/** The ports that there are. */
public final class Ports {
    public static final int MAX = 65535;

    private Ports() {}

    /** The port itself, if it is from {@code lowest} on. */
    public static int checked(int port, int lowest) {
        if (port < lowest || port > MAX) {
            throw new IllegalArgumentException("port must be from %d to %d, not %d".formatted(lowest, MAX, port));
        }
        return port;
    }
}
