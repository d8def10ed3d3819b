package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.ProcStatus;
import dev.resiliency.examples.bench.store.MeasuredServer;
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

/** The processes of one job, by their numbers, and its store. */
final class JobProcesses implements AutoCloseable {
    private final JobSettings settings;
    private final ChaosJob job;
    private final MeasuredServer store = MeasuredServer.ours("-Xmx128m", "-XX:TieredStopAtLevel=1");
    private final SignalShell signals = new SignalShell();
    private final int port = store.port();
    private final int masterPort = ProcessJob.freePort();
    private final Map<Integer, RankNetwork> networks = new HashMap<>();
    private final Map<Integer, JobProcess> processes = new TreeMap<>();

    JobProcesses(JobSettings settings, ChaosJob job) throws IOException {
        this.settings = settings;
        this.job = job;
    }

    /** Starts a process of a rank, which reaches the store through a network of its own. */
    void start(int process, int rank) throws IOException {
        RankNetwork network = new RankNetwork(port);
        RankLaunch launch = RankLaunch.of(rank, settings.ranks(), masterPort, job.directory)
                .named(process < settings.ranks() ? "rank-" + rank : "rank-" + rank + "-process-" + process);
        networks.put(process, network);
        start(process, launch, network.port(), job.directory, false);
        network.belongsTo(pid(process));
    }

    /** Starts a process that does not belong to the job, at its address, in a directory of its own. */
    void startForeign(int process, int rank, int worldSize, Path directory) throws IOException {
        Files.createDirectory(directory);
        start(process, RankLaunch.of(rank, worldSize, port, directory), port, directory, true);
    }

    private void start(int process, RankLaunch launch, int storePort, Path directory, boolean inBackground)
            throws IOException {
        RankLaunch own = launch.with("RESILIENCY_JOB_ID", settings.jobId()).withJvmOptionsForMany();
        List<String> program = List.of(
                ChaosRankCommand.class.getName(),
                "--directory=" + directory,
                "--process=" + process,
                "--active=" + settings.active(),
                "--last-call-millis=" + settings.lastCallWait().toMillis(),
                "--join-wait-millis=" + settings.elasticity().joinWait().toMillis(),
                "--replacement-wait-millis="
                        + settings.elasticity().replacementWait().toMillis(),
                "--store-port=" + storePort,
                settings.patient() ? "--patient" : "--no-patient");
        JobProcess started = inBackground ? JobProcess.startInBackground(own, program) : JobProcess.start(own, program);
        processes.put(process, started);
        started.follow(line -> printed(process, line), code -> job.inbox.add(() -> job.board.ended(process, code)));
    }

    private void printed(int process, String line) {
        try {
            ChaosEvent event = ChaosEvent.parse(line);
            job.inbox.add(() -> job.board.apply(process, event));
        } catch (IllegalArgumentException e) {
            job.inbox.add(() -> job.board.unexpectedLine(process, line));
        }
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
        switch (fault.kind()) {
            case KILL_MONITOR -> signals.send("KILL", List.of(monitorPid(process)));
            // The monitor process first: it must not see that its rank is frozen.
            case HOST_LOSS -> signals.send("STOP", List.of(monitorPid(process), pid(process)));
            default -> signals.send(fault.signal(), List.of(pid(process)));
        }
    }

    private long monitorPid(int process) throws IOException {
        return Long.parseLong(Files.readString(ChaosRankCommand.monitorPid(job.directory, process))
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
                states.add("process %d (%d) is %s".formatted(each.getKey(), pid, stateOf(pid)));
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

    /** Returns the processes that are alive, except the store: {@code process 3 (1234)}, {@code process 3 (1235)} of a child. */
    List<String> left() {
        List<String> left = new ArrayList<>();
        processes.forEach((process, each) ->
                each.alive().forEach(pid -> left.add("process %d (%d)".formatted(process, pid))));
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
        store.close();
    }
}
