package dev.resiliency.launcher.it;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A real agent, {@code resiliency run}, in a process of its own. */
final class Launched implements AutoCloseable {
    private final ProcessJob job;

    private Launched(ProcessJob job) {
        this.job = job;
    }

    /** Returns the options of the agent of one of several nodes, which is an address of this host: 127.0.0.1, and so on. */
    static String[] optionsOfNode(int node, int nodes, int processes, String endpoint, String... more) {
        List<String> options = new ArrayList<>(List.of(
                "--nnodes",
                "" + nodes,
                "--nproc-per-node",
                "" + processes,
                "--rdzv-endpoint",
                endpoint,
                "--local-addr",
                "127.0.0." + node));
        options.addAll(List.of(more));
        return options.toArray(String[]::new);
    }

    /** Starts an agent whose ranks run a shell script. Its directory is its own; agents of one test share the run directory. */
    static Launched script(Path directory, String name, String script, String... options) throws IOException {
        return script(directory, name, script, Map.of(), options);
    }

    /** Starts such an agent with environment variables of its own. */
    static Launched script(Path directory, String name, String script, Map<String, String> variables, String... options)
            throws IOException {
        return command(directory, name, List.of("sh", "-c", script), variables, options);
    }

    /** Starts an agent whose ranks are wrapped, and complete when the file appears. */
    static Launched training(Path directory, String name, Path end, String... options) throws IOException {
        return program(directory, name, LaunchedProgram.class, end, options);
    }

    /** Starts an agent whose ranks run this main class, with the file as its argument. */
    static Launched program(Path directory, String name, Class<?> program, Path argument, String... options)
            throws IOException {
        return program(directory, name, program, argument, Map.of(), options);
    }

    /** Starts such an agent with environment variables of its own. */
    static Launched program(
            Path directory,
            String name,
            Class<?> program,
            Path argument,
            Map<String, String> variables,
            String... options)
            throws IOException {
        return command(
                directory,
                name,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        argument.toString()),
                variables,
                options);
    }

    static Launched command(Path directory, String name, List<String> command, String... options) throws IOException {
        return command(directory, name, command, Map.of(), options);
    }

    private static Launched command(
            Path directory, String name, List<String> command, Map<String, String> variables, String... options)
            throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("run", "--run-dir", directory.resolve("run").toString(), "--node-name", name));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--backoff")) {
            arguments.addAll(List.of("--backoff", "0:1s"));
        }
        arguments.add("--");
        arguments.addAll(command);
        ProcessJob.Builder job = ProcessJob.builder(
                        ResiliencyCommand.class, Files.createDirectories(directory.resolve("agent-" + name)))
                .javaOptions("-Xmx256m")
                .arguments(arguments.toArray(String[]::new));
        variables.forEach(job::environment);
        return new Launched(job.start());
    }

    /** Returns the process of the agent; its output and log include those of the ranks. */
    RankProcess process() {
        return job.rank(0);
    }

    String log() {
        return process().log();
    }

    void awaitLine(String line) throws InterruptedException {
        process().awaitLine(line);
    }

    void awaitLog(String text) throws InterruptedException {
        process().awaitThat("logs '" + text + "'", () -> log().contains(text));
    }

    /** Waits until a rank that is no founder has begun an iteration in which so many are active. */
    void awaitThatWorldIs(int size) throws InterruptedException {
        String world = "in a world of " + size + ",";
        process()
                .awaitThat(
                        "is " + world,
                        () -> process().lines().stream()
                                .anyMatch(line -> line.contains(world) && !line.contains("FOUNDED")));
    }

    int awaitExit() throws InterruptedException {
        return process().awaitExit();
    }

    /** Waits until a rank runs, which may print before its agent says so; returns its process. */
    ProcessHandle rank(int rank) throws InterruptedException {
        process().awaitThat("runs rank " + rank, () -> running(rank).isPresent());
        return running(rank).orElseThrow();
    }

    private Optional<ProcessHandle> running(int rank) {
        return Pattern.compile("process (\\d+) runs rank " + rank + "\\b")
                .matcher(log())
                .results()
                .map((MatchResult match) -> Long.parseLong(match.group(1)))
                .reduce((earlier, later) -> later)
                .flatMap(ProcessHandle::of)
                .filter(ProcessHandle::isAlive);
    }

    @Override
    public void close() {
        job.close();
    }
}
