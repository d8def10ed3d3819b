package dev.resiliency.store.tcp.internal.wire;

import io.netty.util.Version;
import java.util.Map;
import java.util.stream.Collectors;

/** Checks that the Netty of this process is one that this library works with. */
final class NettyVersion {
    /** A class of Netty 4.2 that the event loops of this library need, and that Netty 4.1 lacks. */
    private static final String NEEDED = "io.netty.channel.SingleThreadIoEventLoop";

    private NettyVersion() {}

    /**
     * Checks the version.
     *
     * @throws IllegalStateException if Netty is older than 4.2, or absent
     */
    static void check() {
        check(NettyVersion.class.getClassLoader());
    }

    static void check(ClassLoader loader) {
        try {
            Class.forName(NEEDED, false, loader);
        } catch (ClassNotFoundException tooOld) {
            throw new IllegalStateException(
                    "the store needs Netty 4.2 or newer, and found %s; let all io.netty artifacts of the application have"
                                    .formatted(found(loader))
                            + " one version, for example by importing io.netty:netty-bom",
                    tooOld);
        }
    }

    private static String found(ClassLoader loader) {
        Map<String, Version> versions = Version.identify(loader);
        return versions.isEmpty()
                ? "none"
                : versions.values().stream()
                        .map(version -> version.artifactId() + " " + version.artifactVersion())
                        .sorted()
                        .collect(Collectors.joining(", "));
    }
}
