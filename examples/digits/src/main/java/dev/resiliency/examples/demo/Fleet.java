package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.FreePort;
import dev.resiliency.examples.job.ResiliencyProcess;
import dev.resiliency.examples.job.StoreProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the store of a job, and the agents of its nodes, each with an address of its own, and ends them all. Confined to one thread. */
final class Fleet implements AutoCloseable {
    private final LaunchPlan plan;
    private final Path directory;
    private final int port = FreePort.find();
    private final List<ResiliencyProcess> started = new ArrayList<>();

    /** Creates a fleet whose processes write into this directory. */
    Fleet(LaunchPlan plan, Path directory) throws IOException {
        this.plan = plan;
        this.directory = directory;
    }

    /** Starts the store, and waits until it is there: an agent that has its address would host it otherwise. */
    void startStore() throws IOException, InterruptedException {
        started.add(StoreProcess.start(port, directory));
    }

    /** Starts the agent of a node, as {@code time} says, for the first time or again. */
    ResiliencyProcess startAgent(int node, int time) throws IOException {
        String name = "node" + node;
        List<String> line = new ArrayList<>(List.of("run", "--nnodes", "" + LaunchPlan.NODES));
        line.addAll(List.of("--nproc-per-node", "" + LaunchPlan.RANKS));
        line.addAll(List.of("--spares", node < LaunchPlan.NODES ? "" + LaunchPlan.SPARES : "0"));
        line.addAll(List.of("--rdzv-endpoint", "127.0.0.1:" + port, "--rdzv-id", "digits"));
        line.addAll(List.of("--local-addr", "127.0.0." + (1 + node), "--node-name", name));
        line.addAll(List.of("--run-dir", directory.resolve("run").toString(), "--"));
        line.addAll(ResiliencyProcess.javaCommand(directory, List.of("-Xmx96m")));
        line.addAll(List.of(
                RankCommand.class.getName(),
                "--has-agent",
                "--external-store",
                "--steps=" + plan.steps(),
                "--step-millis=" + plan.stepMillis(),
                "--last-step-awaits=" + sign(),
                "--directory=" + directory));
        ResiliencyProcess agent = ResiliencyProcess.start(name + (time == 1 ? "" : "-start-" + time), directory, line);
        started.add(agent);
        return agent;
    }

    private Path sign() {
        return directory.resolve("finish");
    }

    /** Lets the training finish; before, its last step waits. */
    void letFinish() throws IOException {
        if (!Files.exists(sign())) {
            Files.createFile(sign());
        }
    }

    /** Ends all of them, the store last. */
    @Override
    public void close() {
        for (int i = started.size() - 1; i >= 0; i--) {
            started.get(i).close();
        }
    }
}
