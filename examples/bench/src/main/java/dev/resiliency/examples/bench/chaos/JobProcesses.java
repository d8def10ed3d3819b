package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.examples.bench.store.MeasuredServer;
import dev.resiliency.examples.job.Json;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a job, and its store. Starts a rank again when its process has ended, or when its host is lost, as the
 * supervisors of a job do. Confined to the thread of the job.
 */
final class JobProcesses implements AutoCloseable {
    private final ChaosJob job;
    private final ChaosPlan plan;
    /** Null if rank 0 hosts it. */
    private final @Nullable MeasuredServer store;

    private final ProcessJob ranks;
    private final List<Launched> launched = new ArrayList<>(); // by the index of the process
    private boolean isOver;

    /** A process of a rank, and the network by which it reaches a standalone store. */
    private static final class Launched {
        private final ProcessView view;
        private final RankProcess process;
        private final @Nullable RankNetwork network;
        private boolean isToldToClose;
        private boolean isReplaced;
        /** When it is started elsewhere, once its host is lost. */
        private @Nullable Long elsewhereAt;

        Launched(ProcessView view, RankProcess process, @Nullable RankNetwork network) {
            this.view = view;
            this.process = process;
            this.network = network;
        }
    }

    JobProcesses(ChaosJob job, ChaosPlan plan) throws IOException {
        this.job = job;
        this.plan = plan;
        JobSettings.Own settings = plan.settings;
        store = settings.hosted() ? null : MeasuredServer.ours("-Xmx128m", "-XX:TieredStopAtLevel=1");
        ranks = job.watch.start(ProcessJob.builder(ChaosRankCommand.class, job.directory)
                .worldSize(settings.ranks())
                .starting(0)
                .environment("RESILIENCY_JOB_ID", settings.jobId())
                .javaOptions("-Xmx256m", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr")
                .arguments("--directory=" + job.directory, "--active=" + settings.active())
                .arguments("--last-call-millis=" + settings.lastCallWait().toMillis())
                .arguments(settings.patient() ? "--patient" : "--no-patient"));
    }

    /** Starts a process of a rank. */
    ProcessView launch(int rank, boolean isSupervised) throws IOException {
        ProcessView view = job.board.launched(rank, isSupervised);
        List<String> options = new ArrayList<>(List.of("-D" + ChaosRankCommand.PROCESS + "=" + view.index));
        RankNetwork network = store == null ? null : new RankNetwork(store.port());
        if (network != null) {
            options.add("-D" + ChaosRankCommand.STORE_PORT + "=" + network.port());
        }
        RankProcess process = ranks.start(rank, options.toArray(String[]::new));
        launched.add(new Launched(view, process, network));
        job.watch.follow(process, line -> printed(view, line), code -> job.board.ended(view, code));
        return view;
    }

    private void printed(ProcessView view, String line) {
        Json.read(line, ChaosEvent.class)
                .ifPresentOrElse(
                        event -> job.board.apply(view, event), () -> job.timeline.add(view.name, "prints: " + line));
    }

    /** Goes on: starts again what has ended. Must be called now and then. */
    void step() throws IOException {
        for (Launched each : List.copyOf(launched)) {
            boolean hasEnded = each.view.exitCode != null;
            if (each.view.has(ChaosEvent.Left.class) && !hasEnded && !each.isToldToClose) {
                each.isToldToClose = true;
                tell(each.view, Orders.close());
            }
            if (hasEnded && each.network != null) {
                each.network.close();
            }
            if (store == null && each.view.rank == 0 && isLostAndLeftBehind(each.view)) {
                kill(each.view);
            }
            if (!isOver && each.view.isSupervised && !each.isReplaced && (hasEnded || isDueElsewhere(each))) {
                each.isReplaced = true;
                launch(each.view.rank, true);
                job.run.tally().add(Count.REPLACED, 1);
            }
        }
    }

    /** On another host, the port at which it hosted the store would be free for the next process of rank 0. */
    private boolean isLostAndLeftBehind(ProcessView process) {
        ChaosEvent.Struck struck = struckByHostLoss(process);
        return struck != null && process.exitCode == null && job.board.settled().orElse(-1) > struck.iteration();
    }

    private ChaosEvent.@Nullable Struck struckByHostLoss(ProcessView process) {
        ChaosFault deadly = process.deadly;
        return deadly != null && deadly.leavesStandingStill() ? job.board.struck(deadly) : null;
    }

    private boolean isDueElsewhere(Launched each) {
        if (struckByHostLoss(each.view) == null || (store == null && each.view.rank == 0)) {
            return false;
        }
        if (each.elsewhereAt == null) {
            each.elsewhereAt = System.nanoTime() + plan.untilStartedElsewhere().toNanos();
        }
        return System.nanoTime() - each.elsewhereAt >= 0;
    }

    /** Returns whether each process that is gone has been started again. */
    boolean areBack() {
        return launched.stream().allMatch(each -> !each.view.isSupervised || each.isReplaced || !each.view.isGone());
    }

    /** Starts no process again from now on. */
    void end() {
        isOver = true;
    }

    /** Lets an outage happen, counted from this {@link System#nanoTime}; returns when its last connection is back. */
    long fail(Outage outage, long start) {
        long begin = start + outage.delay().toNanos();
        for (int process : outage.processes()) {
            RankNetwork network = launched.get(process).network;
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

    long pid(ProcessView process) {
        return of(process).pid();
    }

    private RankProcess of(ProcessView process) {
        return launched.get(process.index).process;
    }

    /** Does nothing if it is dead. */
    void tell(ProcessView process, String order) {
        try {
            of(process).send(order);
        } catch (IOException dead) {
            // its end is reported
        }
    }

    /** Executes a fault from outside. */
    void inject(ChaosFault fault) throws IOException, InterruptedException {
        if (fault.place() == Place.NETWORK) {
            fail(Outage.overTimeout(fault.process()), System.nanoTime());
            return;
        }
        long pid = launched.get(fault.process()).process.pid();
        switch (fault.kind()) {
            case KILL_MONITOR -> ChaosJob.signal("KILL", monitorPid(fault.process()));
            // The monitor process first: it must not see that its rank is frozen.
            case HOST_LOSS -> ChaosJob.signal("STOP", monitorPid(fault.process()), pid);
            default -> ChaosJob.signal(fault.signal(), pid);
        }
    }

    private long monitorPid(int process) throws IOException {
        return Long.parseLong(Files.readString(ChaosRankCommand.monitorPid(job.directory, process))
                .trim());
    }

    /** Kills a process and its monitor process: frozen ones, as on a lost host, end in no other way. */
    void kill(ProcessView process) {
        of(process).close();
    }

    /** Ends the store; the processes end with their job. */
    @Override
    public void close() throws IOException {
        for (Launched each : launched) {
            if (each.network != null) {
                each.network.close();
            }
        }
        if (store != null) {
            store.close();
        }
    }
}
