package dev.resiliency.launcher.log;

/** Lines of text as bytes. */
final class Lines {
    private Lines() {}

    /** Returns a line behind a prefix, and with a line feed at its end. */
    static byte[] whole(byte[] prefix, byte[] text) {
        boolean isWhole = text[text.length - 1] == '\n';
        byte[] bytes = new byte[prefix.length + text.length + (isWhole ? 0 : 1)];
        System.arraycopy(prefix, 0, bytes, 0, prefix.length);
        System.arraycopy(text, 0, bytes, prefix.length, text.length);
        if (!isWhole) {
            bytes[bytes.length - 1] = '\n';
        }
        return bytes;
    }
}
