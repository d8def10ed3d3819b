package dev.resiliency.store.tcp.internal.pytorch;

/**
 * Converts between keys and their names on PyTorch's wire. Its client puts a slash before each key of its user, so that
 * none of them is the key {@code init/}, in which it counts the workers. A key has the same name for the users of all
 * clients, so {@code /k} there is {@code k} here; one without a slash on the wire begins with a NUL here, which no
 * user's key does.
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
