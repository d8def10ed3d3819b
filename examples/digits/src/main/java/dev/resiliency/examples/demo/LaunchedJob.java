package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.LaunchPlan.Act;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.job.AgentLine;
import dev.resiliency.examples.job.NamedLine;
import dev.resiliency.examples.job.ResiliencyProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The agents of a job, and what is known of their processes: follows them, breaks them, and starts agents again, as a scheduler
 * does. Every event goes through one queue and is handled by one thread, to which all of this is confined but for the queue.
 */
final class LaunchedJob implements RunningJob {
    /** How long a scheduler takes to start an agent again. */
    private static final Duration SCHEDULER = Duration.ofSeconds(1);

    private final LaunchPlan plan;
    private final Scoreboard board;
    private final Fleet fleet;
    private final Map<Integer, ResiliencyProcess> agents = new HashMap<>(); // by node, the latest of each
    private final Map<Integer, Integer> starts = new HashMap<>(); // by node
    private final Map<Integer, Long> pids = new HashMap<>(); // by process
    private final Map<Integer, Long> dueStarts = new HashMap<>(); // by node: when its agent is started again
    private final Set<Act> past = EnumSet.noneOf(Act.class);
    private final LaunchTally tally = new LaunchTally();
    private final BlockingQueue<Runnable> inbox =
            new LinkedBlockingQueue<>(); // written by the threads that follow processes

    LaunchedJob(LaunchPlan plan, Scoreboard board, Fleet fleet) {
        this.plan = plan;
        this.board = board;
        this.fleet = fleet;
    }

    @Override
    public void start() throws IOException, InterruptedException {
        for (int node = LaunchPlan.NODES; node < plan.nodes(); node++) {
            for (int process : plan.processesOf(node)) {
                board.notThereYet(process);
            }
        }
        fleet.startStore();
        for (int node = 0; node < LaunchPlan.NODES; node++) {
            startAgent(node);
        }
    }

    private void startAgent(int node) throws IOException {
        ResiliencyProcess agent = fleet.startAgent(node, starts.merge(node, 1, Integer::sum));
        agents.put(node, agent);
        agent.follow(
                line -> inbox.add(() -> printed(node, agent, line)),
                line -> AgentLine.parse(line).ifPresent(said -> inbox.add(() -> said(node, agent, said))),
                exitCode -> inbox.add(() -> ended(node, agent, exitCode)));
    }

    @Override
    public @Nullable Runnable await(Duration atMost) throws InterruptedException {
        return inbox.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void handle(@Nullable Runnable event) throws IOException {
        for (Runnable next = event; next != null; next = inbox.poll()) {
            next.run();
        }
        long now = System.nanoTime();
        for (Map.Entry<Integer, Long> due : List.copyOf(dueStarts.entrySet())) {
            if (due.getValue() - now <= 0) {
                dueStarts.remove(due.getKey());
                board.tell("the scheduler starts the agent of node %d again".formatted(due.getKey()));
                startAgent(due.getKey());
            }
        }
        if (isWhole()) {
            Act due = plan.due(past, board.furthestStep()).orElse(null);
            if (due != null) {
                perform(due);
            } else if (plan.isOver(past)) {
                fleet.letFinish();
            }
        }
    }

    /** Returns whether all nodes that were started have all their processes, and as many train as shall. */
    private boolean isWhole() {
        boolean isComplete = agents.keySet().stream().allMatch(node -> {
            for (int process : plan.processesOf(node)) {
                Phase phase = board.ranks().get(process).phase();
                if (phase != Phase.TRAINING && phase != Phase.RESERVE && phase != Phase.WAITING) {
                    return false;
                }
            }
            return true;
        });
        long training = board.ranks().stream()
                .filter(rank -> rank.phase() == Phase.TRAINING)
                .count();
        return dueStarts.isEmpty() && isComplete && training == plan.worldSize();
    }

    private void perform(Act act) throws IOException {
        past.add(act);
        switch (act) {
            case KILL_RANK -> killRank(plan.first(1) + 1);
            case KILL_AGENT -> killNode(2, "the agent of node 2 is killed: its processes end with it");
            case KILL_NODE -> killNode(3, "node 3 is lost: its agent and all its processes are killed");
            case POOL_COMES -> {
                board.tell("%d more nodes come, as spare nodes".formatted(LaunchPlan.POOL));
                for (int node = LaunchPlan.NODES; node < plan.nodes(); node++) {
                    for (int process : plan.processesOf(node)) {
                        board.comes(process);
                    }
                    startAgent(node);
                }
            }
        }
    }

    private void killRank(int process) {
        long pid = pids.getOrDefault(process, 0L);
        board.tell("step %d: rank %s is killed, process %d".formatted(board.furthestStep(), board.label(process), pid));
        board.killed(process, System.nanoTime());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private void killNode(int node, String story) {
        board.tell("step %d: %s".formatted(board.furthestStep(), story));
        for (int process : plan.processesOf(node)) {
            board.killed(process, System.nanoTime());
        }
        ResiliencyProcess agent = agent(node);
        if (past.contains(Act.KILL_NODE)) {
            agent.killAll();
        } else {
            agent.kill();
        }
    }

    private ResiliencyProcess agent(int node) {
        ResiliencyProcess agent = agents.get(node);
        if (agent == null) {
            throw new IllegalStateException("node " + node + " has no agent");
        }
        return agent;
    }

    @Override
    public boolean isOver() {
        return dueStarts.isEmpty() && agents.values().stream().noneMatch(ResiliencyProcess::isAlive) && inbox.isEmpty();
    }

    /** One of the processes of a node has printed a line. */
    private void printed(int node, ResiliencyProcess agent, String line) {
        NamedLine named = NamedLine.parse(line).orElse(null);
        if (agents.get(node) != agent) {
            return; // the last words of a node that was lost
        }
        if (named == null) {
            board.problem("node %d printed a line of no rank: %s".formatted(node, line));
            return;
        }
        int process = plan.process(node, named.process());
        try {
            board.apply(process, DemoEvent.parse(named.text()));
        } catch (IllegalArgumentException e) {
            board.unexpectedLine(process, named.text());
        }
    }

    private void said(int node, ResiliencyProcess agent, AgentLine line) {
        if (agents.get(node) != agent) {
            return;
        }
        tally.add(line);
        switch (line.kind()) {
            case RUNS -> runs(plan.process(node, line.process()), line.number());
            case ENDED ->
                pids.entrySet().stream()
                        .filter(known -> known.getValue() == line.number())
                        .findFirst()
                        .ifPresent(known -> ended(node, known.getKey(), line));
            default -> board.tell("node %d: %s".formatted(node, line.text()));
        }
    }

    private void runs(int process, long pid) {
        if (pids.put(process, pid) != null) {
            tally.addReplacement();
            board.startsAgain(process, pid);
        }
    }

    private void ended(int node, int process, AgentLine line) {
        boolean isDone = board.ranks().get(process).phase() == Phase.FINISHED;
        if (!isDone) {
            board.tell("node %d: %s".formatted(node, line.text()));
        }
        board.ended(process, isDone ? 0 : 1, System.nanoTime());
    }

    private void ended(int node, ResiliencyProcess agent, int exitCode) {
        if (agents.get(node) != agent) {
            return;
        }
        boolean wasKilled = false;
        for (int process : plan.processesOf(node)) {
            RankStatus status = board.ranks().get(process);
            wasKilled |= status.phase() == Phase.LOST;
            if (!status.hasEnded()) {
                board.ended(process, status.phase() == Phase.FINISHED ? 0 : exitCode, System.nanoTime());
            }
        }
        if (wasKilled && exitCode != 0) {
            dueStarts.put(node, System.nanoTime() + SCHEDULER.toNanos());
        } else if (exitCode != 0) {
            board.problem("the agent of node %d exited with code %d: see %s".formatted(node, exitCode, agent.log()));
        }
    }

    /** Returns what is wrong with the job, now that it is over. */
    List<String> problems() {
        List<String> problems = new ArrayList<>(Verdict.problems(board));
        if (plan.breaks() && !past.containsAll(EnumSet.allOf(Act.class))) {
            problems.add("only %s happened before the end: with more --steps, there is more time".formatted(past));
        }
        problems.addAll(tally.problems(plan));
        return problems;
    }

    LaunchTally tally() {
        return tally;
    }
}
