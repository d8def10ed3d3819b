package dev.resiliency.inprocess.internal.monitor;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The command line of the monitor process: the rank's own Java, a small heap, and only the required jars on the class
 * path. It contains no data of the job, as everyone on the host can read a command line.
 */
final class MonitorCommand {
    /** One class of each jar that the monitor process needs, regardless of what else is on the program's path. */
    private static final List<String> NEEDED = List.of(
            "dev.resiliency.inprocess.internal.monitor.MonitorMain",
            "dev.resiliency.store.tcp.TcpStore",
            "io.netty.buffer.ByteBuf",
            "io.netty.channel.Channel",
            "io.netty.channel.epoll.Epoll",
            "io.netty.channel.unix.Errors",
            "io.netty.handler.codec.ByteToMessageDecoder",
            "io.netty.handler.ssl.SslHandler",
            "io.netty.resolver.AddressResolver",
            "io.netty.util.ReferenceCounted",
            "org.slf4j.Logger");

    /** Every JVM takes options from these, such as another collector, which this one rejects, or a debugger's port. */
    private static final Set<String> OPTIONS_OF_ALL_JVMS =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /** Names the signal by which a JVM suspends its threads: SIGUSR2 otherwise, which could then not be ignored. */
    private static final String SUSPENSION = "_JAVA_SR_SIGNUM";

    private static final String UNUSED_SIGNAL = "50";

    private MonitorCommand() {}

    static ProcessBuilder builder() {
        ProcessBuilder builder = new ProcessBuilder(command());
        builder.environment().keySet().removeAll(OPTIONS_OF_ALL_JVMS);
        builder.environment().put(SUSPENSION, UNUSED_SIGNAL);
        return builder;
    }

    private static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-Xmx16m",
                "-Xms3m", // it needs 2 MB, and the initial heap is never given back
                "-Xmn1m",
                "-Xss256k",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED")); // for Netty; newer versions of Java warn without it
        // For one connection with short messages, pools of buffers cost more than they save.
        command.addAll(List.of("-Dio.netty.allocator.type=unpooled", "-Dio.netty.noPreferDirect=true"));
        command.addAll(List.of("-Dslf4j.internal.verbosity=ERROR", "-cp", classPath()));
        command.add(MonitorMain.class.getName());
        return command;
    }

    /** Returns the jars of the classes that are needed; the whole class path if their locations are unknown. */
    private static String classPath() {
        Set<String> places = new LinkedHashSet<>();
        for (String name : NEEDED) {
            String place = placeOf(name);
            if (place == null) {
                return System.getProperty("java.class.path");
            }
            places.add(place);
        }
        return String.join(File.pathSeparator, places);
    }

    private static @Nullable String placeOf(String className) {
        try {
            CodeSource source = Class.forName(className, false, MonitorCommand.class.getClassLoader())
                    .getProtectionDomain()
                    .getCodeSource();
            return source == null ? null : Path.of(source.getLocation().toURI()).toString();
        } catch (ClassNotFoundException | URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }
}
