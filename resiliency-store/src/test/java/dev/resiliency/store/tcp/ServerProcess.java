package dev.resiliency.store.tcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The store server's own jar, as a user runs it. */
public final class ServerProcess implements AutoCloseable {
    private static final String LISTENS = "Store listens on 127.0.0.1:";

    private final Process process;
    private final BufferedReader output;
    private final Path errors;

    private ServerProcess(Process process, Path errors) {
        this.process = process;
        this.output = process.inputReader();
        this.errors = errors;
    }

    public static ServerProcess start(List<String> javaOptions, Map<String, String> environment, String... arguments)
            throws IOException {
        Path errors = Files.createTempFile("store-server", ".log");
        ProcessBuilder builder = new ProcessBuilder(command(javaOptions, arguments)).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        return new ServerProcess(builder.start(), errors);
    }

    /** Starts a server whose standard error is a pipe that is full, and that no one reads. */
    static ServerProcess startWithoutReaderOfErrors(List<String> javaOptions, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("bash", "-c", "head -c 65536 /dev/zero >&2; exec \"$@\"", "store-server"));
        command.addAll(command(javaOptions, arguments));
        return new ServerProcess(new ProcessBuilder(command).start(), Files.createTempFile("store-server", ".log"));
    }

    /** Starts a server that may open so many files only. */
    static ServerProcess startWithDescriptors(int limit, String... arguments) throws IOException {
        Path errors = Files.createTempFile("store-server", ".log");
        List<String> command =
                new ArrayList<>(List.of("bash", "-c", "ulimit -n " + limit + "; exec \"$@\"", "store-server"));
        command.addAll(command(List.of(), arguments));
        return new ServerProcess(
                new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
    }

    private static List<String> command(List<String> javaOptions, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-jar",
                Path.of("target", "resiliency-store-server.jar")
                        .toAbsolutePath()
                        .toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    public Process process() {
        return process;
    }

    /** Sends a SIGTERM. Unlike after {@link Process#destroy}, its output can still be read. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Returns the next line of the output that contains {@code part}. */
    String line(String part) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(part)) {
                return line;
            }
        }
        throw new AssertionError("the process ended and never said: " + part + "; its errors: " + errors());
    }

    public int port() throws IOException {
        return Integer.parseInt(line(LISTENS).substring(LISTENS.length()));
    }

    /** Returns what it wrote to standard error, including its log. */
    public String errors() throws IOException {
        return Files.readString(errors);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(errors);
    }
}
