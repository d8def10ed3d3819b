package dev.resiliency.examples.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.job.Json;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The demo of a launched job: follows its events, breaks its nodes, and starts agents again, as a scheduler does. Some nodes found
 * the job, others come while it runs, as spare nodes. All processes are numbered in one row, node by node: these are the ranks of
 * the {@link Board}.
 */
final class NodeDemo extends Demo {
    private static final int FOUNDERS = 4;
    private static final int NODES = 6;
    private static final int RANKS = 2;
    private static final int SPARES = 1; // on each founder
    private static final int ACTIVE = FOUNDERS * RANKS;
    private static final int REPLACEMENTS = 1 + 2 * (RANKS + SPARES);
    private static final int NODES_LOST = 2;
    /** How long a scheduler takes to start an agent again. */
    private static final Duration SCHEDULER = Duration.ofSeconds(1);

    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final String LAUNCHER = "dev.resiliency.launcher.cli.ResiliencyCommand";
    private static final String JOB = "digits";
    /** The kinds of the events that people want to know. */
    private static final Set<String> TOLD = Set.of("RANK_ENDED", "NODE_LOST", "NODE_CAME", "CYCLE");

    private final int stepMillis;
    private final List<ProcessJob> agents = new ArrayList<>(); // by the number of their node
    private final Map<Integer, Long> startsAgainAt = new TreeMap<>(); // by the number of the node
    private Path directory = Path.of("");
    private String store = "";
    private @Nullable RankProcess events; // from when the job is whole
    private int acts; // how many have happened
    private int nodesLost;

    /** What happens to the job, in this order, after a part of the training; each only when the job has its full size. */
    private enum Act {
        KILL_RANK(0.1),
        KILL_AGENT(0.25),
        POOL_COMES(0.5),
        KILL_NODE(0.6);

        private final double part;

        Act(double part) {
            this.part = part;
        }
    }

    NodeDemo(int steps, int stepMillis) {
        super(new Board(new FaultPlan(first(NODES), steps, List.of(), true), ACTIVE, names()));
        this.stepMillis = stepMillis;
    }

    /** Returns the number of the first process of a node. */
    private static int first(int node) {
        return node * RANKS + Math.min(node, FOUNDERS) * SPARES;
    }

    /** Returns the numbers of the processes of a node. */
    private static List<Integer> processesOf(int node) {
        return IntStream.range(first(node), first(node + 1)).boxed().toList();
    }

    /** Returns what people call the processes: node and number on the node, as in {@code 2.0}. */
    private static List<String> names() {
        return IntStream.range(0, NODES)
                .boxed()
                .flatMap(node -> processesOf(node).stream().map(process -> node + "." + (process - first(node))))
                .toList();
    }

    @Override
    void start(Path ofJob) throws IOException, InterruptedException {
        directory = ofJob;
        store = "127.0.0.1:" + hostStore();
        IntStream.range(first(FOUNDERS), first(NODES)).forEach(board::isAbsent);
        startNodes(0, FOUNDERS);
    }

    private void startNodes(int from, int to) throws IOException {
        for (int node = from; node < to; node++) {
            agents.add(start(agent(node)));
        }
    }

    private ProcessJob.Builder agent(int node) throws IOException {
        List<String> rank = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // all JVMs start at once, on few cores
                "-XX:-UsePerfData", // a killed process would leave its file behind
                "-XX:+DisplayVMOutputToStderr",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                RankCommand.class.getName(),
                "--first-of-node=" + first(node),
                "--steps=" + board.plan.steps(),
                "--step-millis=" + stepMillis,
                "--last-step-awaits=" + sign(),
                "--directory=" + directory);
        return resiliency("node" + node, "run")
                .arguments("--nnodes", "" + FOUNDERS, "--nproc-per-node", "" + RANKS)
                .arguments("--spares", node < FOUNDERS ? "" + SPARES : "0")
                .arguments("--local-addr", "127.0.0." + (1 + node), "--node-name", "node" + node)
                .arguments("--run-dir", directory.resolve("run").toString(), "--")
                .arguments(rank.toArray(String[]::new));
    }

    /** Returns a command of the launcher for this job. */
    private ProcessJob.Builder resiliency(String name, String command) throws IOException {
        ProcessJob.Builder program;
        try {
            program = ProcessJob.builder(Class.forName(LAUNCHER), directory.resolve(name));
        } catch (ClassNotFoundException e) {
            throw new IOException("the launcher is not on the class path", e);
        }
        if (Files.isExecutable(SETPRIV)) {
            program.prefix(SETPRIV.toString(), "--pdeathsig", "KILL"); // it ends with the demo
        }
        return program.javaOptions("-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr")
                .arguments(command, "--rdzv-endpoint", store, "--rdzv-id", JOB);
    }

    /** Returns the file that lets the training finish. */
    private Path sign() {
        return directory.resolve("finish");
    }

    @Override
    Optional<Report> read(RankProcess process, String line) throws IOException {
        if (process != events) {
            return super.read(process, line);
        }
        JsonNode event = Json.MAPPER.readTree(line);
        String kind = event.get("kind").textValue();
        if (TOLD.contains(kind)) {
            board.tell("%s: %s"
                    .formatted(event.get("node").textValue(), event.get("text").textValue()));
        }
        if (kind.equals("NODE_LOST")) {
            nodesLost++;
        } else if (kind.equals("CYCLE")) {
            board.problem("all ranks of all nodes were started again");
        }
        return Optional.empty();
    }

    @Override
    void ended(RankProcess process, int exitCode) {
        if (process == events) {
            return;
        }
        int node = IntStream.range(0, agents.size())
                .filter(each -> agents.get(each).rank(0) == process)
                .findFirst()
                .orElseThrow();
        boolean wasKilled = false;
        for (int each : processesOf(node)) {
            RankStatus status = board.ranks.get(each);
            wasKilled |= status.phase == Phase.LOST;
            if (!status.ended) {
                board.ended(each, status.phase == Phase.FINISHED ? 0 : exitCode, System.nanoTime());
            }
        }
        if (wasKilled && exitCode != 0) {
            startsAgainAt.put(node, System.nanoTime() + SCHEDULER.toNanos());
        } else if (exitCode != 0) {
            board.problem("the agent of node %d exited with code %d".formatted(node, exitCode));
        }
    }

    @Override
    void act() throws IOException {
        for (int node = 0; node < agents.size(); node++) {
            Long due = startsAgainAt.get(node);
            if (due != null && due - System.nanoTime() <= 0) {
                board.tell("the scheduler starts the agent of node %d again".formatted(node));
                agents.get(node).start(0);
                startsAgainAt.remove(node);
            }
        }
        if (!isWhole()) {
            return;
        }
        if (events == null) {
            events = start(resiliency("events", "events").arguments("--follow", "--json"))
                    .rank(0);
        }
        if (acts == Act.values().length) {
            if (!Files.exists(sign())) {
                Files.createFile(sign());
            }
        } else if (board.furthestStep >= Act.values()[acts].part * board.plan.steps()) {
            happens(Act.values()[acts], board.furthestStep);
            acts++;
        }
    }

    /** Returns whether all nodes that have come have all their processes, and as many train as shall. */
    private boolean isWhole() {
        Set<Phase> there = Set.of(Phase.TRAINING, Phase.RESERVE, Phase.WAITING);
        return board.training() == ACTIVE
                && board.ranks.subList(0, first(agents.size())).stream().allMatch(rank -> there.contains(rank.phase));
    }

    private void happens(Act act, int step) throws IOException {
        switch (act) {
            case KILL_RANK -> {
                int process = first(1) + 1;
                long pid = board.ranks.get(process).pid;
                board.tell("step %d: rank %s is killed, process %d".formatted(step, board.label(process), pid));
                board.killed(process, System.nanoTime());
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
            case KILL_AGENT -> {
                board.tell("step %d: the agent of node 2 is killed: its processes end with it".formatted(step));
                killed(2).kill();
            }
            case KILL_NODE -> {
                board.tell("step %d: node 3 is lost: its agent and all its processes are killed".formatted(step));
                killed(3).family().forEach(ProcessHandle::destroyForcibly);
            }
            case POOL_COMES -> {
                board.tell("%d more nodes come, as spare nodes".formatted(NODES - FOUNDERS));
                startNodes(FOUNDERS, NODES);
            }
        }
    }

    private RankProcess killed(int node) {
        processesOf(node).forEach(process -> board.killed(process, System.nanoTime()));
        return agents.get(node).rank(0);
    }

    @Override
    boolean isOver() {
        boolean allHaveEnded = startsAgainAt.isEmpty()
                && agents.stream().map(agent -> agent.rank(0)).allMatch(this::hasEnded);
        return allHaveEnded && (events == null || hasEnded(events) || !board.problems.isEmpty());
    }

    @Override
    void judge() {
        if (acts < Act.values().length) {
            board.problem("only %d of %d things happened before the end: with more --steps, there is more time"
                    .formatted(acts, Act.values().length));
        }
        if (board.replacements != REPLACEMENTS) {
            board.problem("%d processes were replaced, and not %d".formatted(board.replacements, REPLACEMENTS));
        }
        if (nodesLost != NODES_LOST) {
            board.problem("the job lost %d nodes, and not %d".formatted(nodesLost, NODES_LOST));
        }
    }

    @Override
    void complete(ObjectNode report) {
        report.put("nodes", NODES).put("replacements", board.replacements).put("nodesLost", nodesLost);
    }
}
