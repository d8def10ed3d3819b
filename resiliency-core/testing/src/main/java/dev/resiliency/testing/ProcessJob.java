package dev.resiliency.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A job whose ranks are processes on this host, one JVM each, with the environment that a launcher sets.
 *
 * <pre>{@code
 * try (ProcessJob job = ProcessJob.builder(Training.class, directory).worldSize(3).start()) {
 *     job.rank(1).awaitLine("step 100");
 *     job.rank(1).kill();
 *     assertThat(job.rank(0).awaitExit()).isZero();
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ProcessJob implements AutoCloseable {
    /** All processes, in the order of their start. */
    private final List<RankProcess> processes = new CopyOnWriteArrayList<>();

    private final Builder settings;
    private final int port;

    private ProcessJob(Builder settings) throws IOException {
        this.settings = settings;
        this.port = freePort();
        try {
            for (int rank = 0; rank < settings.starting; rank++) {
                start(rank);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts another process with this {@code RANK}, as a supervisor does when one has died. The former one may still
     * live; {@link #rank} returns the new one from now on. The logs of later processes are {@code rank-0-2.log} and so
     * on.
     *
     * @param extraOptions further options of its JVM
     * @throws IOException if it cannot be started
     */
    public synchronized RankProcess start(int rank, String... extraOptions) throws IOException {
        long before = processes.stream().filter(each -> each.rank() == rank).count();
        String name = before == 0 ? Integer.toString(rank) : rank + "-" + (before + 1);
        Map<String, String> environment = new HashMap<>(Map.of(
                "RANK", Integer.toString(rank),
                "WORLD_SIZE", Integer.toString(settings.worldSize),
                "LOCAL_RANK", Integer.toString(rank),
                "MASTER_ADDR", "127.0.0.1",
                "MASTER_PORT", Integer.toString(port)));
        environment.putAll(settings.environment);
        RankProcess process = new RankProcess(
                rank,
                settings.command(
                        Files.createDirectories(settings.directory.resolve("tmp-" + name)), List.of(extraOptions)),
                environment,
                settings.directory.resolve("rank-" + name + ".log"),
                settings.limit);
        processes.add(process);
        return process;
    }

    /**
     * Returns the settings of a job that runs the main class {@code program} on the class path of this JVM.
     *
     * @param directory for the logs of the ranks ({@code rank-0.log}: their standard error) and their temporary files
     *     ({@code tmp-0})
     */
    public static Builder builder(Class<?> program, Path directory) {
        return new Builder(program, directory);
    }

    /**
     * Returns a port of the loopback interface that was free when it was chosen.
     *
     * @throws IOException if there is none
     */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Returns the {@code MASTER_PORT} of the job, where rank 0 hosts the store. */
    public int port() {
        return port;
    }

    /** Returns the process of the rank with this {@code RANK}: the latest one. */
    public RankProcess rank(int rank) {
        return processes.stream()
                .filter(each -> each.rank() == rank)
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new IllegalArgumentException("no process was started as rank " + rank));
    }

    /** Returns the latest process of each rank, in order, including those that have ended. */
    public List<RankProcess> ranks() {
        return processes.stream()
                .map(RankProcess::rank)
                .distinct()
                .sorted()
                .map(this::rank)
                .toList();
    }

    /** Returns all ranks but one, in order. */
    public List<RankProcess> others(int rank) {
        return ranks().stream().filter(each -> each.rank() != rank).toList();
    }

    /** Kills all processes and their descendants. */
    @Override
    public void close() {
        processes.forEach(RankProcess::close);
    }

    /** Collects the settings of a {@link ProcessJob}. Not safe for use by several threads. */
    public static final class Builder {
        private final Class<?> program;
        private final Path directory;
        private final List<String> prefix = new ArrayList<>();
        private final List<String> javaOptions = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private String classPath = System.getProperty("java.class.path");
        private int worldSize = 1;
        private int starting = 1;
        private Duration limit = Duration.ofSeconds(60);

        private Builder(Class<?> program, Path directory) {
            this.program = program;
            this.directory = directory;
        }

        /** Sets the number of ranks. 1 by default. */
        public Builder worldSize(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("worldSize is " + value + ": it must be at least 1");
            }
            worldSize = value;
            starting = value;
            return this;
        }

        /** Sets how many ranks are started at first, from rank 0 on, after {@link #worldSize}. All by default. */
        public Builder starting(int value) {
            starting = value;
            return this;
        }

        /**
         * Adds options of the ranks' JVMs. They follow {@code -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1
         * -XX:-BytecodeVerificationRemote --enable-native-access=ALL-UNNAMED}, with which many JVMs can start at once on
         * few cores.
         */
        public Builder javaOptions(String... options) {
            javaOptions.addAll(List.of(options));
            return this;
        }

        /** Adds words before the command of each process, such as {@code nice}, or another program that starts it. */
        public Builder prefix(String... words) {
            prefix.addAll(List.of(words));
            return this;
        }

        /** Adds arguments of the program. */
        public Builder arguments(String... values) {
            arguments.addAll(List.of(values));
            return this;
        }

        /** Sets an environment variable of all ranks; it overrides one set by the job. */
        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Sets the class path of the ranks. By default that of this JVM. */
        public Builder classPath(String value) {
            classPath = value;
            return this;
        }

        /**
         * Sets how long {@link RankProcess#awaitLine} and {@link RankProcess#awaitExit} wait on an idle machine: see
         * {@link Patience}. 60 s by default.
         */
        public Builder limit(Duration value) {
            limit = value;
            return this;
        }

        /**
         * Starts all ranks.
         *
         * @throws IOException if a process could not be started; the others are killed
         */
        public ProcessJob start() throws IOException {
            return new ProcessJob(this);
        }

        private List<String> command(Path temporary, List<String> extraOptions) throws IOException {
            List<String> options = new ArrayList<>(
                    List.of("-Djava.io.tmpdir=" + temporary, "-XX:ErrorFile=" + temporary.resolve("crash.log")));
            options.addAll(javaOptions);
            options.addAll(extraOptions);
            List<String> command = new ArrayList<>(prefix);
            command.addAll(ChildJvm.command(options, classPath, program, arguments));
            return command;
        }
    }
}
