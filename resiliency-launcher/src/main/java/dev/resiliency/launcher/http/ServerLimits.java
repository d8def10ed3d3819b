package dev.resiliency.launcher.http;

import dev.resiliency.store.spi.Descriptors;
import java.util.Map;

/**
 * The limits of the JDK's HTTP servers, which belong to the process: the JDK reads them once, with the first server. What somebody
 * else has set stays.
 */
public final class ServerLimits {
    private static final Map<String, String> LIMITS = Map.of(
            "sun.net.httpserver.maxIdleConnections", "64",
            "sun.net.httpserver.maxReqHeaders", "60",
            "sun.net.httpserver.maxReqHeaderSize", "16384",
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "120",
            "sun.net.httpserver.nodelay", "true");

    /** The server counts its connections itself, and ends those that ask nothing: what it may have is set aside. */
    private static final String MOST_CONNECTIONS = "jdk.httpserver.maxConnections";

    private static final int MOST = 256;
    private static final int PART_OF_DESCRIPTORS = 4;

    private ServerLimits() {}

    /** Sets the limits, before a server is created. */
    public static void set() {
        LIMITS.forEach(ServerLimits::setIfAbsent);
        int most = Math.min(MOST, Descriptors.ofThisProcess().forOthers() / PART_OF_DESCRIPTORS);
        setIfAbsent(MOST_CONNECTIONS, Integer.toString(most));
    }

    private static void setIfAbsent(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    /** Returns how many connections a server may have. */
    public static int mostConnections() {
        return Math.max(0, Integer.getInteger(MOST_CONNECTIONS, 0));
    }
}
