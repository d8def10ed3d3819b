package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.ProcStatus;
import dev.resiliency.examples.job.FreePort;
import dev.resiliency.examples.job.JobProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The processes of one job: its ranks, and the store unless rank 0 hosts it. */
final class JobProcesses implements AutoCloseable {
    private final Path directory;
    private final @Nullable StoreServer server;
    private final SignalShell signals;
    private final int port;
    private final Network network;
    private final List<JobProcess> ranks = new ArrayList<>();

    JobProcesses(JobSettings settings, Path directory) throws IOException {
        this.directory = directory;
        signals = new SignalShell();
        server = settings.hosted() ? null : new StoreServer();
        port = server == null ? FreePort.find() : server.port();
        network = new Network(settings, port);
    }

    /** Starts the ranks; passes on their lines and exit codes on other threads. */
    void start(JobSettings settings, BiConsumer<Integer, String> lines, BiConsumer<Integer, Integer> ends)
            throws IOException {
        for (int i = 0; i < settings.ranks(); i++) {
            int rank = i;
            int storePort = network.port(rank);
            JobProcess process = JobProcess.start(
                    rank, settings.ranks(), storePort, directory, program(settings, directory, storePort));
            ranks.add(process);
            network.belongsTo(rank, process.pid());
            IntConsumer end = exitCode -> ends.accept(rank, exitCode);
            process.follow(line -> lines.accept(rank, line), end);
        }
    }

    /** Returns the program of a rank that finds the store at this port. */
    static List<String> program(JobSettings settings, Path directory, int storePort) {
        List<String> program = new ArrayList<>(List.of(
                ChaosRankCommand.class.getName(),
                "--directory=" + directory,
                "--active=" + settings.active(),
                "--last-call-millis=" + settings.lastCallWait().toMillis()));
        if (!settings.hosted()) {
            program.add("--store-port=" + storePort);
        }
        if (settings.patient()) {
            program.add("--patient");
        }
        return program;
    }

    /** Lets an outage happen, counted from this {@link System#nanoTime}; returns when its last connection is back. */
    long fail(Outage outage, long start) {
        return network.fail(outage, start);
    }

    int storePort() {
        return port;
    }

    long pid(int rank) {
        return ranks.get(rank).pid();
    }

    void tell(int rank, String order) {
        ranks.get(rank).tell(order);
    }

    /** Records the children of the ranks; must be called while all are alive. */
    void rememberChildren() {
        ranks.forEach(JobProcess::rememberChildren);
    }

    /** Executes a strike from outside. */
    void strike(Strike strike) throws IOException {
        if (strike.place() == Place.NETWORK) {
            fail(Outage.overTimeout(strike.rank()), System.nanoTime());
            return;
        }
        long rank = pid(strike.rank());
        switch (strike.kind()) {
            case SIGKILL -> signals.send("KILL", List.of(rank));
            case SIGTERM -> signals.send("TERM", List.of(rank));
            case SIGINT -> signals.send("INT", List.of(rank));
            case SIGSTOP -> signals.send("STOP", List.of(rank));
            case SIGSEGV -> signals.send("SEGV", List.of(rank));
            case ABORT -> signals.send("ABRT", List.of(rank));
            case KILL_MONITOR -> signals.send("KILL", List.of(MonitorPid.of(strike.rank(), directory)));
            // The monitor process first: it must not see that its rank is frozen.
            case HOST_LOSS -> signals.send("STOP", List.of(MonitorPid.of(strike.rank(), directory), rank));
            default -> throw new IllegalArgumentException(strike + " does not come from outside");
        }
    }

    /** Kills a rank and its monitor process: frozen ones, as on a lost host, end in no other way. */
    void kill(int rank) {
        ranks.get(rank).end(true);
    }

    /**
     * Makes the ranks that are alive write thread dumps into their logs. Returns the states of their processes: a stopped
     * one writes nothing.
     */
    List<String> dumpThreads() throws IOException {
        List<String> states = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            long pid = pid(rank);
            if (ranks.get(rank).alive().contains(pid)) {
                states.add("rank %d: process %d is %s".formatted(rank, pid, stateOf(pid)));
                signals.send("QUIT", List.of(pid));
            }
        }
        return states;
    }

    private static String stateOf(long pid) {
        try {
            return new ProcStatus(pid).state();
        } catch (IOException gone) {
            return "gone";
        }
    }

    /** Returns the processes that are alive, except the store: {@code rank 3 (1234)}, {@code a child of rank 3 (1235)}. */
    List<String> left() {
        return IntStream.range(0, ranks.size())
                .boxed()
                .flatMap(rank -> ranks.get(rank).alive().stream()
                        .map(pid -> (pid == pid(rank) ? "rank " : "a child of rank ") + rank + " (" + pid + ")"))
                .toList();
    }

    /** Ends all processes. */
    @Override
    public void close() throws IOException {
        ranks.forEach(rank -> rank.end(true));
        ranks.forEach(JobProcess::awaitEnd);
        network.close();
        signals.close();
        if (server != null) {
            server.close();
        }
    }
}
