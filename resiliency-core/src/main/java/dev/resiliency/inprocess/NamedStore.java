package dev.resiliency.inprocess;

/** Reads and checks the address in {@link StoreFactory#VARIABLE}: {@code HOST:PORT}, an IPv6 address in brackets. */
record NamedStore(String host, int port) {
    private static final int HIGHEST_PORT = 65_535;

    /**
     * Parses the value of the variable.
     *
     * @throws IllegalArgumentException if it is no address; says what is
     */
    static NamedStore parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw invalid(text);
        }
        if (host.isBlank()) {
            throw invalid(text);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port < 1 || port > HIGHEST_PORT) {
                throw invalid(text);
            }
            return new NamedStore(host, port);
        } catch (NumberFormatException e) {
            throw invalid(text);
        }
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(StoreFactory.VARIABLE + " is \"" + text
                + "\": it must be HOST:PORT, as in 10.0.0.1:29400 or [fd00::1]:29400");
    }
}
