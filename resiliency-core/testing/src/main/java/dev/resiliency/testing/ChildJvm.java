package dev.resiliency.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds the command line of the JVMs that run ranks. */
final class ChildJvm {
    /** Verifying the bytecode of the class path would take a fifth of the start. */
    private static final List<String> SMALL = List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String IGNORED = "SigIgn:";
    /** SIGINT is number 2, and the mask begins with number 1. */
    private static final long INTERRUPT = 1L << 1;

    private ChildJvm() {}

    /**
     * Returns the command that runs a class with the Java of this process: small, quick to start, and without warnings.
     */
    static List<String> command(List<String> options, String classPath, Class<?> program, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (ignoresInterrupt()) {
            // Children inherit the signals that a script's background job or a CI runner ignores, and a JVM keeps them
            // ignored.
            command.addAll(List.of("env", "--default-signal=INT"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, program.getName()));
        command.addAll(arguments);
        return command;
    }

    private static boolean ignoresInterrupt() throws IOException {
        if (!Files.exists(STATUS)) {
            return false;
        }
        return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith(IGNORED))
                .anyMatch(line ->
                        (Long.parseUnsignedLong(line.substring(IGNORED.length()).trim(), 16) & INTERRUPT) != 0);
    }
}
