package dev.resiliency.examples.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A JVM that runs one rank of a job on this host, with a device of its own or a shared one. */
final class RankJvm implements AutoCloseable {
    private static final Duration READ_LIMIT = Duration.ofSeconds(2);

    private final Process process;
    private final Thread reader;

    private RankJvm(Process process, Consumer<String> lines) {
        this.process = process;
        this.reader = new Thread(() -> read(lines), "output of process " + process.pid());
        reader.setDaemon(true);
    }

    /**
     * Starts a rank.
     *
     * @param devices number of GPUs; ranks that share one communicate over sockets
     * @param log the file of its log
     * @param program its main class, and then its arguments
     * @param lines receives each line that it prints, on a thread of its own
     */
    static RankJvm start(
            int rank, int worldSize, int port, int devices, Path log, List<String> program, Consumer<String> lines)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+DisplayVMOutputToStderr",
                "-XX:ErrorFile=" + log + ".crash"));
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("resiliency.lib"))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().putAll(variables(rank, worldSize, port, devices));
        RankJvm jvm = new RankJvm(builder.start(), lines);
        jvm.reader.start();
        return jvm;
    }

    private static Map<String, String> variables(int rank, int worldSize, int port, int devices) {
        Map<String, String> variables = new TreeMap<>(Map.of(
                "RANK", Integer.toString(rank),
                "LOCAL_RANK", Integer.toString(rank % devices),
                "WORLD_SIZE", Integer.toString(worldSize),
                "MASTER_ADDR", "127.0.0.1",
                "MASTER_PORT", Integer.toString(port),
                "NCCL_NVLS_ENABLE", "0")); // required by aborts
        if (worldSize > devices) { // NCCL rejects two ranks on one GPU unless they seem to be on two hosts
            variables.put("NCCL_HOSTID", "rank-" + rank);
            variables.put("NCCL_NET", "Socket");
            variables.put("NCCL_SOCKET_IFNAME", "lo");
        }
        return variables;
    }

    private void read(Consumer<String> lines) {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            output.lines().forEach(lines);
        } catch (IOException | UncheckedIOException e) {
            // Killed while this thread was reading; awaitExit reports it.
        }
    }

    /** Waits for the exit and all output; returns the exit code, or -1 after the limit. */
    int awaitExit(Duration limit) throws InterruptedException {
        if (!process.waitFor(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS)) {
            return -1;
        }
        reader.join(READ_LIMIT.toMillis());
        return process.exitValue();
    }

    /** Kills it and its child processes. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
