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

/** The process of one rank, with its child processes. */
public final class JobProcess {
    private static final Duration END_LIMIT = Duration.ofSeconds(5);
    private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(1);

    private final int rank;
    private final Process process;
    private final List<ProcessHandle> children = new ArrayList<>();

    private JobProcess(int rank, Process process) {
        this.rank = rank;
        this.process = process;
    }

    /**
     * Starts a rank of a job, with options for many JVMs on few cores.
     *
     * @param directory of its log, its checkpoint and its temporary files
     * @param program its main class, and then its arguments
     */
    public static JobProcess start(int rank, int ranks, int masterPort, Path directory, List<String> program)
            throws IOException {
        return start(RankLaunch.of(rank, ranks, masterPort, directory).withJvmOptionsForMany(), program);
    }

    /**
     * Starts the process of a rank.
     *
     * @param program its main class, and then its arguments
     */
    public static JobProcess start(RankLaunch launch, List<String> program) throws IOException {
        return new JobProcess(launch.rank(), start(List.of(), launch, program));
    }

    /** Starts a rank as {@link #start} does, but such that it leaves the processors to all others. */
    public static JobProcess startInBackground(RankLaunch launch, List<String> program) throws IOException {
        return new JobProcess(launch.rank(), start(List.of("nice", "-n", "19"), launch, program));
    }

    private static Process start(List<String> prefix, RankLaunch launch, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(launch.jvmOptions());
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED", // of Netty and JNA: from JDK 24 on, the JVM warns without it
                "-XX:-UsePerfData", // a killed process would leave its file behind
                "-Djava.io.tmpdir=" + launch.directory(),
                "-cp",
                launch.classPath()));
        command.addAll(program);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(launch.log().toFile());
        builder.environment()
                .putAll(Map.of(
                        "RANK", Integer.toString(launch.rank()),
                        "LOCAL_RANK", Integer.toString(launch.rank()),
                        "WORLD_SIZE", Integer.toString(launch.ranks()),
                        "MASTER_ADDR", "127.0.0.1",
                        "MASTER_PORT", Integer.toString(launch.masterPort())));
        builder.environment().putAll(launch.variables());
        return builder.start();
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Writes a line to its standard input; does nothing if it is dead. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // Dead: follow() reports it.
        }
    }

    /** Passes on each line that the rank prints, and finally its exit code, on threads of this class. */
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
            // Killed while this thread was reading: awaitExit reports it.
        }
    }

    /** Reports the exit after all output; waits for that only briefly, since a child may hold the output open. */
    private void awaitExit(Thread output, IntConsumer end) {
        try {
            int exitCode = process.waitFor();
            output.join(OUTPUT_LIMIT.toMillis());
            end.accept(exitCode);
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /** Sends SIGKILL to it, but not to its children; does nothing if it is dead. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Records its children: once it is dead, they can no longer be found through it. */
    public void rememberChildren() {
        process.children().filter(child -> !children.contains(child)).forEach(children::add);
    }

    /** Returns the process ids that are alive: its own, and those of the recorded children. */
    public List<Long> alive() {
        return Stream.concat(Stream.of(process.toHandle()), children.stream())
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .toList();
    }

    /**
     * Kills it if it is alive, and terminates its children, which would otherwise end a little later.
     *
     * @param isFrozen whether the children are frozen, as on a lost host, so that they must be killed, too
     */
    public void end(boolean isFrozen) {
        rememberChildren();
        process.destroyForcibly();
        children.forEach(isFrozen ? ProcessHandle::destroyForcibly : ProcessHandle::destroy);
    }

    /** Waits until it and its children are gone, for a limited time each. */
    public void awaitEnd() {
        await(process.toHandle());
        children.stream().filter(ProcessHandle::isAlive).forEach(JobProcess::await);
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
