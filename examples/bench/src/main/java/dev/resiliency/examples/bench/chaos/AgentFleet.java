package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.job.ResiliencyProcess;
import dev.resiliency.examples.job.StoreProcess;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes of the command line {@code resiliency} of a job under agents: store, agents and commands. Confined to the thread of the job. */
final class AgentFleet implements AutoCloseable {
    /** Lets a process and those that it starts open few files and sockets each: strangers could take them all. */
    private static final List<String> FEW_FILES = List.of("sh", "-c", "ulimit -n 512; exec \"$@\"", "sh");

    private final JobSettings.UnderAgents settings;
    private final Path directory;
    private final int port = ProcessJob.freePort();
    private final SignalShell signals = new SignalShell();
    private final List<ResiliencyProcess> started = new ArrayList<>();
    private int commands;

    AgentFleet(JobSettings.UnderAgents settings, Path directory) throws IOException {
        this.settings = settings;
        this.directory = directory;
    }

    void startStore() throws IOException, InterruptedException {
        started.add(StoreProcess.start(FEW_FILES, port, directory));
    }

    int storePort() {
        return port;
    }

    /** Returns where the agents note their processes. */
    Path runDirectory() {
        return directory.resolve("run");
    }

    /** Starts the agent of a node, as {@code time} says, for the first time or again. */
    ResiliencyProcess startAgent(int node, int time) throws IOException {
        List<String> line = new ArrayList<>(List.of("run", "--nnodes", "" + settings.nodes()));
        line.addAll(List.of("--nproc-per-node", "" + settings.ranks(), "--spares", "" + settings.spares()));
        line.addAll(job());
        line.addAll(List.of("--local-addr", "127.0.0." + (1 + node), "--node-name", nameOf(node)));
        line.addAll(List.of("--restart-policy", settings.policy(), "--max-restarts", "100000"));
        line.addAll(List.of("--restart-window", "forever", "--backoff", "100ms:1s", "--max-startup-failures", "0"));
        line.addAll(List.of("--lease", JobSettings.UnderAgents.LEASE.toSeconds() + "s"));
        line.addAll(List.of("--grace", "5s"));
        // no wrapper watches a process that is suspended before it has joined
        line.addAll(List.of("--initial-rank-heartbeat-timeout", "60s"));
        line.addAll(List.of("--run-dir", runDirectory().toString(), "--"));
        line.addAll(ResiliencyProcess.javaCommand(
                directory,
                List.of(
                        "-Xmx96m",
                        "-XX:ErrorFile=" + directory.resolve("crash-%p.log"),
                        "-Dresiliency.ring.address=" + Strangers.UNKNOWN)));
        line.addAll(List.of(ChaosRankCommand.class.getName(), "--launched", "--directory=" + directory));
        return start(nameOf(node) + (time == 1 ? "" : "-start-" + time), line);
    }

    static String nameOf(int node) {
        return "node" + node;
    }

    /** Starts a command about the job. */
    ResiliencyProcess command(List<String> words) throws IOException {
        List<String> line = new ArrayList<>(words);
        line.addAll(1, job());
        return start(words.get(0) + "-" + ++commands, line);
    }

    private List<String> job() {
        return List.of("--rdzv-endpoint", "127.0.0.1:" + port, "--rdzv-id", settings.jobId());
    }

    private ResiliencyProcess start(String name, List<String> line) throws IOException {
        ResiliencyProcess process = ResiliencyProcess.start(FEW_FILES, name, directory, line);
        started.add(process);
        return process;
    }

    void signal(String signal, List<Long> pids) throws IOException {
        signals.send(signal, pids);
    }

    /** Ends all of them, the store last. */
    @Override
    public void close() {
        for (int i = started.size() - 1; i >= 0; i--) {
            started.get(i).close();
        }
        signals.close();
    }
}
