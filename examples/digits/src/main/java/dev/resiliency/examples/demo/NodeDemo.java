package dev.resiliency.examples.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.DemoEvent.Waits;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The demo of a launched job: follows the agents of its nodes, breaks them, and starts agents again, as a scheduler does. Some
 * nodes found the job, others come while it runs, as spare nodes. All processes are numbered in one row, node by node: these are
 * the ranks of the {@link Board}.
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
    private static final String AGENT = "dev.resiliency.launcher.cli.ResiliencyCommand";
    /** A line of a process, as its agent passes it on: what the agent calls the process, and what the process has printed. */
    private static final Pattern OF_PROCESS = Pattern.compile("\\[(rank|spare) (?:\\d+\\.)?(\\d+)] (.*)");
    /** What an agent says that people want to know. */
    private static final Pattern OF_AGENT = Pattern.compile(
            "\\S+ \\S+ \\[agent of \\S+] (.* was ended .*|.* exited with code [1-9].*|.* is lost: .*|.* has come, as .*|cycle .*)");

    private final int stepMillis;
    private final List<Node> nodes = new ArrayList<>();
    private final Set<String> losses =
            new HashSet<>(); // what agents say of them: one that becomes the lowest says it again
    private Path directory = Path.of("");
    private int port;
    private int acts; // how many have happened
    private int replacements;

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

    /** A node that has come. */
    private static final class Node {
        private final int number;
        private final ProcessJob agent;
        private final Map<Integer, Long> pids = new HashMap<>(); // of its processes
        private int read; // how much of its agent's log
        private boolean hasEnded;
        private long startsAgainAt; // 0 if it does not

        Node(int number, ProcessJob agent) {
            this.number = number;
            this.agent = agent;
        }

        int first() {
            return NodeDemo.first(number);
        }

        /** Returns the numbers of its processes. */
        List<Integer> processes() {
            return IntStream.range(first(), NodeDemo.first(number + 1)).boxed().toList();
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

    /** Returns what people call the processes: node and number on the node, as in {@code 2.0}. */
    private static List<String> names() {
        return IntStream.range(0, NODES)
                .boxed()
                .flatMap(node ->
                        IntStream.range(0, first(node + 1) - first(node)).mapToObj(each -> node + "." + each))
                .toList();
    }

    @Override
    void start(Path ofJob) throws IOException, InterruptedException {
        directory = ofJob;
        port = hostStore();
        IntStream.range(first(FOUNDERS), first(NODES)).forEach(board::isAbsent);
        startNodes(0, FOUNDERS);
    }

    private void startNodes(int from, int to) throws IOException {
        for (int node = from; node < to; node++) {
            nodes.add(new Node(node, start(agent(node))));
        }
    }

    private ProcessJob.Builder agent(int node) throws IOException {
        ProcessJob.Builder agent;
        try {
            agent = ProcessJob.builder(Class.forName(AGENT), directory.resolve("node" + node));
        } catch (ClassNotFoundException e) {
            throw new IOException("the launcher is not on the class path", e);
        }
        if (Files.isExecutable(SETPRIV)) {
            agent.prefix(SETPRIV.toString(), "--pdeathsig", "KILL"); // it ends with the demo
        }
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
                "--has-agent",
                "--steps=" + board.plan().steps(),
                "--step-millis=" + stepMillis,
                "--last-step-awaits=" + sign(),
                "--directory=" + directory);
        return agent.javaOptions("-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr")
                .arguments("run", "--nnodes", "" + FOUNDERS, "--nproc-per-node", "" + RANKS)
                .arguments("--spares", node < FOUNDERS ? "" + SPARES : "0")
                .arguments("--rdzv-endpoint", "127.0.0.1:" + port, "--rdzv-id", "digits")
                .arguments("--local-addr", "127.0.0." + (1 + node), "--node-name", "node" + node)
                .arguments("--run-dir", directory.resolve("run").toString(), "--")
                .arguments(rank.toArray(String[]::new));
    }

    /** Returns the file that lets the training finish. */
    private Path sign() {
        return directory.resolve("finish");
    }

    @Override
    void step() throws IOException, InterruptedException {
        List<Report> reports = new ArrayList<>();
        Map<Node, Integer> exits = new LinkedHashMap<>();
        for (Node node : nodes) {
            RankProcess agent = node.agent.rank(0);
            boolean ends = !node.hasEnded && !agent.isAlive();
            int exitCode = ends ? agent.awaitExit() : 0;
            agent.takeLines().forEach(line -> read(node, line, reports));
            String log = agent.log();
            int end = log.lastIndexOf('\n') + 1;
            log.substring(node.read, end).lines().forEach(line -> tell(node, line));
            node.read = end;
            if (ends) {
                exits.put(node, exitCode);
            }
            if (node.startsAgainAt != 0 && node.startsAgainAt - System.nanoTime() <= 0) {
                board.tell("the scheduler starts the agent of node %d again".formatted(node.number));
                node.agent.start(0);
                node.read = 0;
                node.hasEnded = false;
                node.startsAgainAt = 0;
            }
        }
        reports.sort(Comparator.comparingLong(Report::nanos));
        reports.forEach(board::apply);
        exits.forEach(this::ended);
        if (isWhole()) {
            act();
        }
    }

    private void read(Node node, String line, List<Report> reports) {
        Matcher named = OF_PROCESS.matcher(line);
        if (!named.matches()) {
            board.problem("node %d printed a line of no rank: %s".formatted(node.number, line));
            return;
        }
        int number = Integer.parseInt(named.group(2));
        int process = node.first() + (named.group(1).equals("rank") ? number % RANKS : number);
        Report.parse(named.group(3)).ifPresent(report -> {
            if (report.event() instanceof Waits waits) {
                Long before = node.pids.put(process, waits.pid());
                if (before != null && before != waits.pid()) {
                    replacements++;
                    board.startsAgain(process, waits.pid());
                }
            }
            reports.add(new Report(process, report.nanos(), report.event()));
        });
    }

    private void tell(Node node, String line) {
        Matcher said = OF_AGENT.matcher(line);
        if (said.matches()) {
            String text = said.group(1);
            board.tell("node %d: %s".formatted(node.number, text));
            if (text.startsWith("cycle ")) {
                board.problem("all ranks of all nodes were started again");
            } else if (text.contains(" is lost: ")) {
                losses.add(text);
            }
        }
    }

    private void ended(Node node, int exitCode) {
        node.hasEnded = true;
        boolean wasKilled = false;
        for (int process : node.processes()) {
            RankStatus status = board.ranks().get(process);
            wasKilled |= status.phase == Phase.LOST;
            if (!status.ended) {
                board.ended(process, status.phase == Phase.FINISHED ? 0 : exitCode, System.nanoTime());
            }
        }
        if (wasKilled && exitCode != 0) {
            node.startsAgainAt = System.nanoTime() + SCHEDULER.toNanos();
        } else if (exitCode != 0) {
            board.problem("the agent of node %d exited with code %d".formatted(node.number, exitCode));
        }
    }

    /** Returns whether all nodes that have come have all their processes, and as many train as shall. */
    private boolean isWhole() {
        Set<Phase> there = Set.of(Phase.TRAINING, Phase.RESERVE, Phase.WAITING);
        return board.training() == ACTIVE
                && nodes.stream()
                        .flatMap(node -> node.processes().stream())
                        .allMatch(process -> there.contains(board.ranks().get(process).phase));
    }

    private void act() throws IOException {
        if (acts == Act.values().length) {
            if (!Files.exists(sign())) {
                Files.createFile(sign());
            }
            return;
        }
        Act next = Act.values()[acts];
        int step = board.furthestStep();
        if (step < next.part * board.plan().steps()) {
            return;
        }
        acts++;
        switch (next) {
            case KILL_RANK -> {
                Node node = nodes.get(1);
                int process = node.first() + 1;
                long pid = node.pids.getOrDefault(process, 0L);
                board.tell("step %d: rank %s is killed, process %d".formatted(step, board.label(process), pid));
                board.killed(process, System.nanoTime());
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
            case KILL_AGENT -> {
                board.tell("step %d: the agent of node 2 is killed: its processes end with it".formatted(step));
                killed(nodes.get(2)).kill();
            }
            case KILL_NODE -> {
                board.tell("step %d: node 3 is lost: its agent and all its processes are killed".formatted(step));
                killed(nodes.get(3)).family().forEach(ProcessHandle::destroyForcibly);
            }
            case POOL_COMES -> {
                board.tell("%d more nodes come, as spare nodes".formatted(NODES - FOUNDERS));
                startNodes(FOUNDERS, NODES);
            }
        }
    }

    private RankProcess killed(Node node) {
        node.processes().forEach(process -> board.killed(process, System.nanoTime()));
        return node.agent.rank(0);
    }

    @Override
    boolean isOver() {
        return nodes.stream().allMatch(node -> node.hasEnded && node.startsAgainAt == 0);
    }

    @Override
    void judge() {
        if (acts < Act.values().length) {
            board.problem("only %d of %d things happened before the end: with more --steps, there is more time"
                    .formatted(acts, Act.values().length));
        }
        if (replacements != REPLACEMENTS) {
            board.problem("%d processes were replaced, and not %d".formatted(replacements, REPLACEMENTS));
        }
        if (losses.size() != NODES_LOST) {
            board.problem("the agents reported %d lost nodes, and not %d".formatted(losses.size(), NODES_LOST));
        }
    }

    @Override
    void complete(ObjectNode report) {
        report.put("nodes", NODES).put("replacements", replacements).put("nodesLost", losses.size());
    }
}
