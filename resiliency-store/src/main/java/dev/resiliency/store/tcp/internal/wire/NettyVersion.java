package dev.resiliency.store.tcp.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.util.Version;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks that the Netty of this process is one that this library works with. */
final class NettyVersion {
    /** A class of Netty 4.2 that the event loops of this library need, and that Netty 4.1 lacks. */
    private static final String NEEDED = "io.netty.channel.SingleThreadIoEventLoop";

    /** A class of each artifact that this library uses, which need not come from the same place as the others. */
    private static final List<String> USED = List.of(
            "io.netty.buffer.ByteBuf",
            "io.netty.channel.Channel",
            "io.netty.handler.codec.ByteToMessageDecoder",
            "io.netty.handler.ssl.SslHandler",
            "io.netty.util.ReferenceCounted");

    private static final String VERSIONS = "META-INF/io.netty.versions.properties";
    private static final Pattern VERSION = Pattern.compile("(?m)^(netty-[\\w-]+)\\.version=(\\d+\\.\\d+)(\\..*)$");

    /** Whether the check has passed in this process: it opens some jars. Two threads may both make it. */
    private static volatile boolean isChecked;

    private NettyVersion() {}

    /**
     * Checks the version.
     *
     * @throws IllegalStateException if Netty is older than 4.2, or absent; or if its classes come from several places, of
     *     which one is older
     */
    static void check() {
        if (!isChecked) {
            check(NettyVersion.class.getClassLoader());
            isChecked = true;
        }
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
        Set<String> older = USED.stream()
                .map(name -> versionOf(name, loader))
                .filter(version -> version.matches(".* 4\\.[01]\\..*"))
                .collect(Collectors.toCollection(TreeSet::new));
        if (!older.isEmpty()) {
            throw new IllegalStateException(
                    ("the store needs Netty 4.2 or newer, and a part of it comes from older artifacts, which another library has"
                                    + " brought: %s. Let them come later on the class path, or exclude them")
                            .formatted(String.join(", ", older)));
        }
    }

    /** Returns version and place of the artifact that a class comes from; empty if it does not say. */
    private static String versionOf(String className, ClassLoader loader) {
        try {
            CodeSource source = Class.forName(className, false, loader)
                    .getProtectionDomain()
                    .getCodeSource();
            if (source == null) {
                return "";
            }
            try (InputStream versions = open(source.getLocation())) {
                Matcher version = VERSION.matcher(new String(versions.readAllBytes(), ISO_8859_1));
                return version.find()
                        ? version.group(1) + " " + version.group(2) + version.group(3) + " in " + source.getLocation()
                        : "";
            }
        } catch (ClassNotFoundException | IOException | IllegalArgumentException unknown) {
            return "";
        }
    }

    /** Opens the jar for itself: in the cache of the JDK, another thread might close it. */
    private static InputStream open(URL place) throws IOException {
        String root = place.toString().endsWith("/") ? place.toString() : "jar:" + place + "!/";
        URLConnection connection = URI.create(root + VERSIONS).toURL().openConnection();
        connection.setUseCaches(false);
        return connection.getInputStream();
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
