package dev.resiliency.store.spi;

import java.util.Optional;

/**
 * The address at which another process reaches a store.
 *
 * @param host its host name or address
 * @param port its TCP port
 * @param scope the scope of the server, which accepts only clients that ask for the same. Empty by default
 * @since 0.1.0
 */
public record StoreAddress(String host, int port, String scope) {
    private static final int HIGHEST_PORT = 65_535;

    /**
     * Returns the address that {@code HOST:PORT} stands for, with an IPv6 address in brackets.
     *
     * @param defaultPort for a text without a port; 0 if it must have one
     * @return empty if the text is no address
     */
    public static Optional<StoreAddress> parse(String text, int defaultPort) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > text.lastIndexOf(']');
        String host = hasPort ? text.substring(0, colon) : text;
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        String bare = isBracketed ? host.substring(1, host.length() - 1) : host;
        if (bare.isBlank() || (!isBracketed && bare.indexOf(':') >= 0)) {
            return Optional.empty();
        }
        try {
            int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : defaultPort;
            return port < 1 || port > HIGHEST_PORT ? Optional.empty() : Optional.of(new StoreAddress(bare, port, ""));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns {@code host:port}, with an IPv6 address in brackets. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
