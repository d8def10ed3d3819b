package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What stands before a line in a log file: its time, and who wrote it. Cheap for many lines at once. Confined to one thread. */
final class LinePrefix {
    private final Timestamp time = new Timestamp();
    private final String middle;
    private long millis = Long.MIN_VALUE;
    private byte[] bytes = new byte[0];

    LinePrefix(String name) {
        middle = " [" + name + "] ";
    }

    /** Returns the prefix at a time, in milliseconds since 1970. The caller does not change it. */
    byte[] at(long newMillis) {
        if (newMillis != millis) {
            millis = newMillis;
            bytes = (time.of(millis) + middle).getBytes(UTF_8);
        }
        return bytes;
    }
}
