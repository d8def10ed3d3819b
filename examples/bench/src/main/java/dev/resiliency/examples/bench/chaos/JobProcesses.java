package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.store.MeasuredServer;
import dev.resiliency.examples.job.Json;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The processes of one job, by their numbers, and its store. */
final class JobProcesses implements AutoCloseable {
    private final ChaosJob job;
    /** Null if rank 0 hosts it. */
    private final @Nullable MeasuredServer store;

    private final ProcessJob ranks;
    private final Map<Integer, RankNetwork> networks = new HashMap<>();
    private final Map<Integer, RankProcess> processes = new TreeMap<>();

    JobProcesses(JobSettings settings, ChaosJob job) throws IOException {
        this.job = job;
        store = settings.hosted() ? null : MeasuredServer.ours("-Xmx128m", "-XX:TieredStopAtLevel=1");
        ranks = job.processes.start(ProcessJob.builder(ChaosRankCommand.class, job.directory)
                .worldSize(settings.ranks())
                .starting(0)
                .environment("RESILIENCY_JOB_ID", settings.jobId())
                .javaOptions("-Xmx256m", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr")
                .arguments("--directory=" + job.directory, "--active=" + settings.active())
                .arguments("--last-call-millis=" + settings.lastCallWait().toMillis())
                .arguments(settings.patient() ? "--patient" : "--no-patient"));
    }

    /** Starts a process of a rank, which reaches a standalone store through a network of its own. */
    void start(int process, int rank) throws IOException {
        List<String> options = new ArrayList<>(List.of("-D" + ChaosRankCommand.PROCESS + "=" + process));
        if (store != null) {
            RankNetwork network = new RankNetwork(store.port());
            networks.put(process, network);
            options.add("-D" + ChaosRankCommand.STORE_PORT + "=" + network.port());
        }
        RankProcess started = ranks.start(rank, options.toArray(String[]::new));
        processes.put(process, started);
        job.processes.follow(started, line -> printed(process, line), code -> job.board.ended(process, code));
    }

    private void printed(int process, String line) {
        Json.read(line, ChaosEvent.class)
                .ifPresentOrElse(
                        event -> job.board.apply(process, event), () -> job.board.unexpectedLine(process, line));
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

    /** Returns the port of the store; -1 if a rank hosts it. */
    int storePort() {
        return store == null ? -1 : store.port();
    }

    long pid(int process) {
        return of(process).pid();
    }

    private RankProcess of(int process) {
        return Objects.requireNonNull(processes.get(process), "process " + process + " has not been started");
    }

    /** Does nothing if it is dead. */
    void tell(int process, String order) {
        try {
            of(process).send(order);
        } catch (IOException dead) {
            // its end is reported
        }
    }

    /** Releases what belongs to a process that has ended. */
    void forget(int process) throws IOException {
        RankNetwork network = networks.remove(process);
        if (network != null) {
            network.close();
        }
    }

    /** Executes a fault from outside. */
    void inject(ChaosFault fault) throws IOException, InterruptedException {
        int process = fault.process();
        if (fault.place() == Place.NETWORK) {
            fail(Outage.overTimeout(process), System.nanoTime());
            return;
        }
        switch (fault.kind()) {
            case KILL_MONITOR -> ChaosJob.signal("KILL", monitorPid(process));
            // The monitor process first: it must not see that its rank is frozen.
            case HOST_LOSS -> ChaosJob.signal("STOP", monitorPid(process), pid(process));
            default -> ChaosJob.signal(fault.signal(), pid(process));
        }
    }

    private long monitorPid(int process) throws IOException {
        return Long.parseLong(Files.readString(ChaosRankCommand.monitorPid(job.directory, process))
                .trim());
    }

    /** Kills a process and its monitor process: frozen ones, as on a lost host, end in no other way. */
    void kill(int process) {
        of(process).close();
    }

    /** Ends the store; the processes end with their job. */
    @Override
    public void close() throws IOException {
        for (RankNetwork network : networks.values()) {
            network.close();
        }
        if (store != null) {
            store.close();
        }
    }
}
