package dev.resiliency.examples.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/** The process of one rank, with those that it has started itself. */
public final class RankProcess {
    private static final Duration END_LIMIT = Duration.ofSeconds(5);
    private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(1);

    private final int rank;
    private final Process process;
    private final List<ProcessHandle> children = new ArrayList<>();

    private RankProcess(int rank, Process process) {
        this.rank = rank;
        this.process = process;
    }

    /**
     * Starts a rank of a job.
     *
     * @param directory where its log, its checkpoint and its temporary files go
     * @param program its main class and the arguments of that
     */
    public static RankProcess start(int rank, int ranks, int masterPort, Path directory, List<String> program)
            throws IOException {
        List<String> options = List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // all JVMs start at once, on few cores
                "-XX:+DisplayVMOutputToStderr", // standard output is for events
                "-XX:ErrorFile=" + directory.resolve("crash-" + rank + ".log"));
        return new RankProcess(rank, launch(rank, ranks, masterPort, directory, options, program));
    }

    /**
     * Starts the process of a rank, as {@link #start}.
     *
     * @param options of its virtual machine
     */
    public static Process launch(
            int rank, int ranks, int masterPort, Path directory, List<String> options, List<String> program)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-XX:-UsePerfData", // a killed process would leave its file behind
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(directory.resolve("rank-" + rank + ".log").toFile());
        builder.environment()
                .putAll(Map.of(
                        "RANK", Integer.toString(rank),
                        "LOCAL_RANK", Integer.toString(rank),
                        "WORLD_SIZE", Integer.toString(ranks),
                        "MASTER_ADDR", "127.0.0.1",
                        "MASTER_PORT", Integer.toString(masterPort)));
        return builder.start();
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Writes a line to its standard input; one that has died does not read it. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // Its end is told elsewhere.
        }
    }

    /** Hands on the lines that the rank prints, and in the end its exit code: from threads of this class. */
    public void follow(Consumer<String> lines, IntConsumer end) {
        Thread output = start("output", () -> read(lines));
        start("end", () -> awaitExit(output, end));
    }

    private Thread start(String what, Runnable task) {
        Thread thread = new Thread(task, "rank-" + rank + "-" + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void read(Consumer<String> lines) {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            // The process was ended while this read: its end is told elsewhere.
        }
    }

    /** All that it printed is to be told before its end; but not for ever, if a child holds its output open. */
    private void awaitExit(Thread output, IntConsumer end) {
        try {
            int exitCode = process.waitFor();
            output.join(OUTPUT_LIMIT.toMillis());
            end.accept(exitCode);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    /** Takes note of its children: once it is dead they are nobody's. */
    public void rememberChildren() {
        process.children().filter(child -> !children.contains(child)).forEach(children::add);
    }

    /** The process ids of those that live: itself, and the children that were remembered. */
    public List<Long> alive() {
        return Stream.concat(Stream.of(process.toHandle()), children.stream())
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .toList();
    }

    /**
     * Kills it if it still lives, and ends its children, who would go by themselves, but not at once; those that stand
     * still, as their host is lost, can only be killed.
     */
    public void end(boolean standsStill) {
        rememberChildren();
        process.destroyForcibly();
        children.forEach(standsStill ? ProcessHandle::destroyForcibly : ProcessHandle::destroy);
    }

    /** Waits for a limited time until it and its children are gone. */
    public void awaitEnd() {
        await(process.toHandle());
        children.stream().filter(ProcessHandle::isAlive).forEach(RankProcess::await);
    }

    private static void await(ProcessHandle handle) {
        try {
            handle.onExit().get(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            handle.destroyForcibly();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("while waiting for process " + handle.pid() + " to end", e);
        }
    }
}
