package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.FreePort;
import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.RankLaunch;
import dev.resiliency.store.Store;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Starts the processes of a job, one after the other for the same rank if need be, and ends them all. If processes are to be
 * started again, it hosts the store of the job, which one hosted by rank 0 would not outlive. Confined to one thread.
 */
final class Launcher implements AutoCloseable {
    private static final long STORE_BYTES = 16 << 20; // a job of 32 ranks needs a fraction; the heap is small
    private static final String JOB_ID = "RESILIENCY_JOB_ID";

    private final Scenario scenario;
    private final RankProgram program;
    private final Path directory;
    private final String jobId = "demo-" + UUID.randomUUID();
    private final @Nullable TcpStoreServer store;
    private final int port;
    private final Map<Integer, JobProcess> latest = new HashMap<>(); // by rank
    private final Map<Integer, Integer> starts = new HashMap<>(); // by rank
    private final List<JobProcess> all = new ArrayList<>();
    private final Set<JobProcess> frozen = new HashSet<>();

    /** Creates a launcher whose processes write into this directory. */
    Launcher(Scenario scenario, RankProgram program, Path directory) throws IOException, InterruptedException {
        this.scenario = scenario;
        this.program = program;
        this.directory = directory;
        store = scenario.replace()
                ? TcpStoreServer.builder()
                        .limit(Store.Limit.TOTAL_BYTES, STORE_BYTES)
                        .start()
                : null;
        port = store == null ? FreePort.find() : store.port();
    }

    /**
     * Starts a process of a rank.
     *
     * @param faults those that it may inject; of faults of single ranks, it injects its own
     */
    JobProcess start(int rank, Collection<DemoFault> faults) throws IOException {
        int start = starts.merge(rank, 1, Integer::sum);
        RankLaunch launch = RankLaunch.of(rank, scenario.ranks(), port, directory)
                .named("rank-" + rank + (start == 1 ? "" : "-start-" + start))
                .with(JOB_ID, jobId)
                .withJvmOptionsForMany();
        for (Map.Entry<String, String> variable : program.variables().entrySet()) {
            launch = launch.with(variable.getKey(), variable.getValue());
        }
        List<String> options = new ArrayList<>(launch.jvmOptions());
        options.addAll(program.jvmOptions());
        JobProcess process = JobProcess.start(launch.withJvmOptions(options), commandLine(faults));
        latest.put(rank, process);
        all.add(process);
        return process;
    }

    private List<String> commandLine(Collection<DemoFault> faults) {
        List<String> line = new ArrayList<>(List.of(program.command().getName()));
        line.addAll(program.arguments());
        line.addAll(List.of("--steps=" + scenario.steps(), "--directory=" + directory));
        if (scenario.hasSpares()) {
            line.add("--active=" + scenario.active());
        }
        if (scenario.hasHangs()) {
            line.add("--detect-hangs-soon");
        }
        if (store != null) {
            line.add("--external-store");
        }
        faults.forEach(fault -> line.add("--fault=" + fault));
        return line;
    }

    /** Returns whether a line that a process printed means nothing. */
    boolean isChatter(String line) {
        return program.isChatter().test(line);
    }

    /** Returns whether no other process of its rank has been started since. */
    boolean isLatest(int rank, JobProcess process) {
        return latest.get(rank) == process;
    }

    /** Records that a process stands still, and can only be killed. */
    void freezes(JobProcess process) {
        frozen.add(process);
    }

    /** Sends SIGKILL to all processes, at once. */
    void killAll() {
        all.forEach(JobProcess::rememberChildren);
        all.forEach(JobProcess::kill);
    }

    /** Ends all processes, waits for their end, and closes the store. */
    @Override
    public void close() {
        all.forEach(process -> process.end(frozen.contains(process)));
        all.forEach(JobProcess::awaitEnd);
        if (store != null) {
            store.close();
        }
    }
}
