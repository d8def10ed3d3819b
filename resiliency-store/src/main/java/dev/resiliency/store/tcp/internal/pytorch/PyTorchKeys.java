package dev.resiliency.store.tcp.internal.pytorch;

/**
 * How a key is called on PyTorch's wire. Its client puts a slash before each key of its user, so that none of them is
 * the key {@code init/} in which it counts the workers. A key is called the same by the users of all clients, so
 * {@code /k} there is {@code k} here; what has no slash on the wire begins with a NUL here, where no user has one.
 */
public final class PyTorchKeys {
    private static final String SLASH = "/";
    private static final String WITHOUT_SLASH = "\0";

    private PyTorchKeys() {}

    public static String ofWire(String wire) {
        return wire.startsWith(SLASH) ? wire.substring(SLASH.length()) : WITHOUT_SLASH + wire;
    }

    public static String toWire(String key) {
        return key.startsWith(WITHOUT_SLASH) ? key.substring(WITHOUT_SLASH.length()) : SLASH + key;
    }
}
