package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.ChildProcess;
import dev.resiliency.examples.bench.measure.ProcStatus;
import dev.resiliency.examples.bench.store.OwnServer;
import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.RankLaunch;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The processes of one job, by their numbers, and the store unless rank 0 hosts it. */
final class JobProcesses implements AutoCloseable {
    private static final List<String> STORE =
            List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", OwnServer.class.getName());

    private final JobSettings settings;
    private final Path directory;
    private final Listener listener;
    private final @Nullable ChildProcess server;
    private final SignalShell signals;
    private final int port;
    private final int masterPort;
    /** Of the processes that reach the store through one; a rank 0 that hosts it needs none. */
    private final Map<Integer, RankNetwork> networks = new HashMap<>();

    private final Map<Integer, JobProcess> processes = new TreeMap<>();

    /** Receives what the processes do, on threads of their own. */
    interface Listener {
        void printed(int process, String line);

        void ended(int process, int exitCode);
    }

    JobProcesses(JobSettings settings, Path directory, Listener listener) throws IOException {
        this.settings = settings;
        this.directory = directory;
        this.listener = listener;
        signals = new SignalShell();
        server = settings.hosted() ? null : ChildProcess.startJava(System.getProperty("java.class.path"), STORE);
        port = server == null ? ProcessJob.freePort() : Integer.parseInt(server.firstLine());
        masterPort = server == null ? port : ProcessJob.freePort();
    }

    /** Starts a process of a rank. */
    void start(int process, int rank) throws IOException {
        @Nullable RankNetwork network = settings.isRemote(rank) ? new RankNetwork(port) : null;
        int storePort = network == null ? port : network.port();
        RankLaunch launch = RankLaunch.of(rank, settings.ranks(), server == null ? storePort : masterPort, directory)
                .named(process < settings.ranks() ? "rank-" + rank : "rank-" + rank + "-process-" + process)
                .with("RESILIENCY_JOB_ID", settings.jobId())
                .withJvmOptionsForMany();
        JobProcess started = JobProcess.start(launch, program(settings, directory, process, storePort));
        processes.put(process, started);
        if (network != null) {
            networks.put(process, network);
            network.belongsTo(started.pid());
        }
        started.follow(line -> listener.printed(process, line), exitCode -> listener.ended(process, exitCode));
    }

    /** Returns the program of a process that finds the store at this port. */
    static List<String> program(JobSettings settings, Path directory, int process, int storePort) {
        List<String> program = new ArrayList<>(List.of(
                ChaosRankCommand.class.getName(),
                "--directory=" + directory,
                "--process=" + process,
                "--active=" + settings.active(),
                "--last-call-millis=" + settings.lastCallWait().toMillis()));
        if (!settings.hosted()) {
            program.add("--store-port=" + storePort);
        }
        if (settings.patient()) {
            program.add("--patient");
        }
        if (settings.replaces()) {
            program.add("--replaces");
            program.add("--join-wait-millis=" + settings.elasticity().joinWait().toMillis());
            program.add("--replacement-wait-millis="
                    + settings.elasticity().replacementWait().toMillis());
        }
        return program;
    }

    /** Lets an outage happen, counted from this {@link System#nanoTime}; returns when its last connection is back. */
    long fail(Outage outage, long start) {
        long begin = start + outage.delay().toNanos();
        for (int process : outage.processes()) {
            RankNetwork network = networks.get(process);
            if (network != null) {
                network.fail(outage, begin);
            }
        }
        return begin + outage.silence().toNanos();
    }

    int storePort() {
        return port;
    }

    long pid(int process) {
        return of(process).pid();
    }

    private JobProcess of(int process) {
        JobProcess started = processes.get(process);
        if (started == null) {
            throw new IllegalArgumentException("process " + process + " has not been started");
        }
        return started;
    }

    void tell(int process, String order) {
        of(process).tell(order);
    }

    /** Records the children of a process that is alive and monitored. */
    void rememberChildren(int process) {
        of(process).rememberChildren();
    }

    /** Releases what belongs to a process that has ended. */
    void forget(int process) throws IOException {
        RankNetwork network = networks.remove(process);
        if (network != null) {
            network.close();
        }
    }

    /** Executes a fault from outside. */
    void inject(ChaosFault fault) throws IOException {
        int process = fault.process();
        if (fault.place() == Place.NETWORK) {
            fail(Outage.overTimeout(process), System.nanoTime());
            return;
        }
        long pid = pid(process);
        switch (fault.kind()) {
            case SIGKILL -> signals.send("KILL", List.of(pid));
            case SIGTERM -> signals.send("TERM", List.of(pid));
            case SIGINT -> signals.send("INT", List.of(pid));
            case SIGSTOP -> signals.send("STOP", List.of(pid));
            case SIGSEGV -> signals.send("SEGV", List.of(pid));
            case ABORT -> signals.send("ABRT", List.of(pid));
            case KILL_MONITOR -> signals.send("KILL", List.of(monitorPid(process)));
            // The monitor process first: it must not see that its rank is frozen.
            case HOST_LOSS -> signals.send("STOP", List.of(monitorPid(process), pid));
            default -> throw new IllegalArgumentException(fault + " does not come from outside");
        }
    }

    private long monitorPid(int process) throws IOException {
        return Long.parseLong(Files.readString(ChaosRankCommand.monitorPid(directory, process))
                .trim());
    }

    /** Kills a process and its monitor process: frozen ones, as on a lost host, end in no other way. */
    void kill(int process) {
        of(process).end(true);
    }

    /**
     * Makes the processes that are alive write thread dumps into their logs. Returns their states: a stopped one writes
     * nothing.
     */
    List<String> dumpThreads() throws IOException {
        List<String> states = new ArrayList<>();
        for (Map.Entry<Integer, JobProcess> each : processes.entrySet()) {
            long pid = each.getValue().pid();
            if (each.getValue().alive().contains(pid)) {
                states.add("process %d, %d of the system, is %s".formatted(each.getKey(), pid, stateOf(pid)));
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

    /** Returns the processes that are alive, except the store: {@code process 3 (1234)}, {@code a child of process 3 (1235)}. */
    List<String> left() {
        List<String> left = new ArrayList<>();
        processes.forEach((process, each) -> each.alive()
                .forEach(pid ->
                        left.add((pid == each.pid() ? "" : "a child of ") + "process " + process + " (" + pid + ")")));
        return left;
    }

    /** Ends all processes. */
    @Override
    public void close() throws IOException {
        processes.values().forEach(process -> process.end(true));
        processes.values().forEach(JobProcess::awaitEnd);
        for (RankNetwork network : networks.values()) {
            network.close();
        }
        signals.close();
        if (server != null) {
            server.close();
        }
    }
}
