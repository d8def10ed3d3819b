package dev.resiliency.examples.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/** A process of the command line {@code resiliency}: an agent with its ranks, or a store. It ends with this program. */
public final class ResiliencyProcess implements AutoCloseable {
    private static final String PROGRAM = "dev.resiliency.launcher.cli.ResiliencyCommand";
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final String name;
    private final Process process;
    private final Path log;

    private ResiliencyProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a command, on a thread that must live as long as the command: the kernel ends both together.
     *
     * @param name of its log, without the ending
     * @param directory of its log, its notes and its temporary files
     * @param arguments the command and its options
     */
    public static ResiliencyProcess start(String name, Path directory, List<String> arguments) throws IOException {
        return start(List.of(), name, directory, arguments);
    }

    /**
     * Starts a command as {@link #start(String, Path, List)} does.
     *
     * @param prefix what stands before it, such as a program that limits it
     */
    public static ResiliencyProcess start(List<String> prefix, String name, Path directory, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        if (Files.isExecutable(SETPRIV)) {
            command.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "KILL"));
        }
        command.addAll(javaCommand(directory, List.of("-Xmx128m")));
        command.add(PROGRAM);
        command.addAll(arguments);
        return new ResiliencyProcess(name, new ProcessBuilder(command).start(), directory.resolve(name + ".log"));
    }

    /**
     * Returns how to start a JVM that needs little, up to the name of its main class.
     *
     * @param directory of its temporary files
     */
    public static List<String> javaCommand(Path directory, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // all JVMs start at once, on few cores
                "-XX:-UsePerfData", // a killed process would leave its file behind
                "-XX:+DisplayVMOutputToStderr",
                "--enable-native-access=ALL-UNNAMED", // of Netty and JNA: from JDK 24 on, the JVM warns without it
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path")));
        return command;
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether it lives. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the processor time of it and of all its processes that live. */
    public Duration processorTime() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .flatMap(each -> each.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns the path of what it has written to standard error. */
    public Path log() {
        return log;
    }

    /**
     * Passes on each line that it prints, and finally its exit code, on threads of this class.
     *
     * @param output receives the lines of standard output
     * @param errors receives those of standard error, which are also written to its log
     */
    public void follow(Consumer<String> output, Consumer<String> errors, IntConsumer end) throws IOException {
        PrintStream file = new PrintStream(Files.newOutputStream(log), true, UTF_8);
        Thread out = thread("output", () -> read(process.getInputStream(), output));
        Thread err = thread("errors", () -> {
            try (file) {
                read(process.getErrorStream(), line -> {
                    file.println(line);
                    errors.accept(line);
                });
            }
        });
        thread("end", () -> {
            try {
                int exitCode = process.waitFor();
                out.join(LAST_WORDS.toMillis());
                err.join(LAST_WORDS.toMillis());
                end.accept(exitCode);
            } catch (InterruptedException e) {
                throw new IllegalStateException("this thread is never interrupted", e);
            }
        });
    }

    private Thread thread(String what, Runnable task) {
        Thread thread = new Thread(task, name + "-" + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void read(InputStream stream, Consumer<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            // Killed while this thread was reading: its end is reported.
        }
    }

    /** Sends SIGKILL to it alone; its own processes end with it. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Sends SIGKILL to it and to all its processes at once, as the loss of their host does. */
    public void killAll() {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
    }

    /** Ends it and all its processes, and waits for that for a limited time. */
    @Override
    public void close() {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
        try {
            process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            long deadline = System.nanoTime() + END_LIMIT.toNanos();
            while (descendants.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() - deadline < 0) {
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
