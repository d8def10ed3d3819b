package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Resiliency;
import dev.resiliency.examples.job.Json;
import dev.resiliency.launcher.rendezvous.HostMark;
import dev.resiliency.launcher.rendezvous.JobPlace;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a job under agents: its store, the agents, which it starts again as a scheduler does, their ranks, and commands.
 * Breaks them on order. Confined to the thread of the job.
 */
final class AgentFleet {
    private static final Duration STORE_LIMIT = Duration.ofMinutes(1);
    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(1);
    private static final int COMMAND_TRIES = 4;
    private static final String NODE = "node";
    private static final int BUSY_FOR_EACH_PROCESSOR = 6;
    /** What a rank prints: its process id and an event; the name before it is absent if it is alone on its node. */
    private static final Pattern PRINTED = Pattern.compile("(\\[spare [\\d.]+] |\\[rank \\d+] )?(\\d+) (\\{.*)");

    private final ChaosJob job;
    private final JobSettings.UnderAgents settings;
    private final NodePlan plan;
    final int storePort = ProcessJob.freePort();
    private final List<ProcessJob> agents = new ArrayList<>(); // by node
    private final Map<Integer, Long> dueStarts = new HashMap<>(); // by node
    /** The exit codes of agents that have ended since this was cleared, by node. */
    final Map<Integer, Integer> exits = new HashMap<>();

    private final Map<Long, ProcessView> byId = new HashMap<>(); // the kernel may give an id again later
    private final Map<ProcessView, ProcessHandle> handles = new HashMap<>();
    private int commands;
    private boolean isOver;

    AgentFleet(ChaosJob job, NodePlan plan) throws IOException {
        this.job = job;
        this.plan = plan;
        settings = plan.settings;
    }

    /** Starts the store, unless the agent that has its address is to host it, and then all agents. */
    void start() throws IOException, InterruptedException {
        if (!settings.hosted()) {
            start("store", List.of("store", "--port", "" + storePort, "--max-total-bytes", "16000000"));
            if (!job.require("the store has started", STORE_LIMIT, this::isStoreThere)) {
                return;
            }
        }
        for (int node = 0; node < settings.nodes(); node++) {
            agents.add(start(nameOf(node), commandLine(node)));
            followAgent(node);
        }
    }

    private boolean isStoreThere() {
        try {
            new Socket(InetAddress.getLoopbackAddress(), storePort).close();
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private ProcessJob start(String name, List<String> line) throws IOException {
        return job.watch.start(Resiliency.command(job.directory.resolve(name), line));
    }

    private List<String> commandLine(int node) {
        List<String> line = new ArrayList<>(List.of("run", "--nnodes", "" + settings.nodes()));
        line.addAll(List.of("--nproc-per-node", "" + settings.ranks(), "--spares", "" + settings.spares()));
        line.addAll(ofJob());
        line.addAll(List.of("--local-addr", "127.0.0." + (1 + node), "--node-name", nameOf(node)));
        line.addAll(List.of("--restart-policy", settings.policy(), "--max-restarts", "100000"));
        line.addAll(List.of("--restart-window", "forever", "--backoff", "100ms:1s", "--max-startup-failures", "0"));
        line.addAll(List.of("--lease", JobSettings.UnderAgents.LEASE.toSeconds() + "s"));
        line.addAll(List.of("--grace", "5s"));
        // no wrapper watches a process that is suspended before it has joined
        line.addAll(List.of("--initial-rank-heartbeat-timeout", "60s"));
        line.addAll(List.of("--run-dir", runDirectory().toString(), "--"));
        line.addAll(Resiliency.rank(
                job.directory,
                List.of("-Xmx96m", "-XX:ErrorFile=" + job.directory.resolve("crash-%p.log")),
                ChaosRankCommand.class,
                List.of("--launched", "--directory=" + job.directory)));
        return line;
    }

    private List<String> ofJob() {
        return List.of("--rdzv-endpoint", "127.0.0.1:" + storePort, "--rdzv-id", settings.jobId());
    }

    /** Returns where the agents note their processes. */
    Path runDirectory() {
        return job.directory.resolve("run");
    }

    /** Returns the node whose agent hosts the store, as the agent of the first node knows; -1 if none does. */
    int host() throws InterruptedException {
        if (!settings.hosted()) {
            return -1;
        }
        StoreAddress first = new StoreAddress("127.0.0.1", storePort, "");
        try (SessionStore store = JobPlace.connect(first, settings.jobId(), "chaos", STORE_LIMIT)) {
            String name = HostMark.read(store);
            return Integer.parseInt(name.substring(NODE.length()));
        }
    }

    static String nameOf(int node) {
        return NODE + node;
    }

    private void followAgent(int node) {
        job.timeline.add("the agent of node %d starts, process %d"
                .formatted(node, latest(node).pid()));
        job.watch.follow(latest(node), line -> printed(node, line), exitCode -> ended(node, exitCode));
    }

    private RankProcess latest(int node) {
        return agents.get(node).rank(0);
    }

    private void printed(int node, String line) {
        Matcher matcher = PRINTED.matcher(line);
        if (!matcher.matches() || !apply(node, matcher)) {
            // the JVM or a library, and half a line of a process that was killed
            job.timeline.add(nameOf(node), "printed: " + line);
        }
    }

    private boolean apply(int node, Matcher line) {
        long pid = Long.parseLong(line.group(2));
        ChaosEvent event = Json.read(line.group(3), ChaosEvent.class).orElse(null);
        if (event instanceof ChaosEvent.Launched launched) {
            boolean isSpare = line.group(1) != null && line.group(1).startsWith("[spare");
            String name = "%s of node %d (%d)".formatted(isSpare ? "a spare" : "rank " + launched.rank(), node, pid);
            int rank = isSpare ? -1 : launched.rank();
            ProcessView process = job.board.launched(name, rank, node, pid);
            byId.put(pid, process);
            ProcessHandle.of(pid).ifPresent(handle -> handles.put(process, handle));
            return true;
        }
        ProcessView process = byId.get(pid);
        if (process == null || event == null) {
            return false;
        }
        job.board.apply(process, event);
        return true;
    }

    /** The agent of a node has ended, and its processes with it. */
    private void ended(int node, int exitCode) {
        job.timeline.add("the agent of node %d exits with code %d".formatted(node, exitCode));
        exits.put(node, exitCode);
        if (!isOver) {
            dueStarts.put(node, System.nanoTime() + plan.untilAgentStarts().toNanos());
        }
    }

    /** Notices processes that have ended, and starts agents again. Must be called now and then. */
    void step() throws IOException {
        for (ProcessView process : job.board.survivors()) {
            if (!isAlive(process)) {
                job.board.ended(process, 0);
            }
        }
        for (Map.Entry<Integer, Long> due : List.copyOf(dueStarts.entrySet())) {
            if (System.nanoTime() - due.getValue() >= 0) {
                dueStarts.remove(due.getKey());
                agents.get(due.getKey()).start(0);
                followAgent(due.getKey());
            }
        }
    }

    /** Returns the process of the agent of a node; null while there is none. */
    @Nullable
    RankProcess agent(int node) {
        return dueStarts.containsKey(node) || !latest(node).isAlive() ? null : latest(node);
    }

    boolean isAlive(ProcessView process) {
        ProcessHandle handle = handles.get(process);
        return handle != null && handle.isAlive();
    }

    /** Starts no agent again from now on. */
    void end() {
        isOver = true;
        exits.clear();
    }

    /** Follows the events of the job. */
    void follow(JobEvents events) throws IOException {
        ProcessJob follower = command("events", "--follow", "--json");
        job.watch.follow(follower.rank(0), events::add, exitCode -> {
            events.end();
            if (exitCode != 0) {
                job.broken("'resiliency events --follow' has exited with code " + exitCode);
            }
        });
    }

    private ProcessJob command(String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(words));
        line.addAll(1, ofJob());
        return start(words[0] + "-" + ++commands, line);
    }

    /** Runs a command; one that comes at the same moment as a cycle asks to be tried again. */
    private void run(String... words) throws IOException, InterruptedException {
        List<String> all = List.of(words);
        for (int i = 0; i < COMMAND_TRIES; i++) {
            List<Integer> codes = new ArrayList<>();
            job.watch.follow(command(words).rank(0), line -> {}, codes::add);
            if (!job.require("the command ends: " + all, COMMAND_LIMIT, () -> !codes.isEmpty()) || codes.contains(0)) {
                return;
            }
            job.timeline.add("%s has exited with code %s".formatted(all, codes));
        }
        job.broken("the command has failed %d times: %s".formatted(COMMAND_TRIES, all));
    }

    /** Takes a node away, and back once its agent is there again. */
    void scale(JobEvents events) throws IOException, InterruptedException {
        long before = events.count("NODE_CAME");
        int less = settings.nodes() - 1;
        run("scale", less + ":" + less);
        if (job.require("a node leaves, and waits", COMMAND_LIMIT, () -> events.count("NODE_CAME") > before)) {
            run("scale", settings.nodes() + ":" + settings.nodes());
        }
    }

    /** Injects a fault of a rank, a node, or the job, but for a change of its size. */
    void inject(ChaosFault fault) throws IOException, InterruptedException {
        switch (fault.place()) {
            case STEP, EXIT -> Orders.give(job.directory, "" + pidOf(fault), Orders.inject(fault));
            case OUTSIDE -> ChaosJob.signal(fault.signal(), pidOf(fault));
            case STARVATION -> starve(fault.length());
            case RESTART -> run("restart");
            case DRAIN -> run("drain", nameOf(fault.process()));
            default -> {
                RankProcess agent = agent(fault.process());
                if (agent != null) {
                    inject(fault, agent);
                }
            }
        }
    }

    private void inject(ChaosFault fault, RankProcess agent) throws InterruptedException {
        switch (fault.place()) {
            case AGENT_KILL -> agent.kill();
            case NODE_KILL -> agent.family().forEach(ProcessHandle::destroyForcibly);
            case AGENT_TERM -> ChaosJob.signal("TERM", agent.pid());
            case AGENT_USR1 -> ChaosJob.signal("USR1", agent.pid());
            case AGENT_PAUSE, AGENT_STOP -> {
                ChaosJob.signal("STOP", agent.pid());
                job.pass(fault.length());
                ChaosJob.signal("CONT", agent.pid());
            }
            default -> throw new IllegalArgumentException(fault.toString());
        }
    }

    private long pidOf(ChaosFault fault) {
        return job.board.process(fault.process()).pid;
    }

    /** Lets processes take all processors, several times as many as there are. */
    private void starve(Duration length) throws IOException, InterruptedException {
        List<Process> busy = new ArrayList<>();
        String seconds = Long.toString(length.toSeconds() + 1);
        try {
            for (int i = 0; i < BUSY_FOR_EACH_PROCESSOR * Runtime.getRuntime().availableProcessors(); i++) {
                busy.add(new ProcessBuilder("timeout", seconds, "sh", "-c", "while :; do :; done").start());
            }
            job.pass(length);
        } finally {
            busy.forEach(Process::destroy); // timeout passes the signal on
        }
    }
}
