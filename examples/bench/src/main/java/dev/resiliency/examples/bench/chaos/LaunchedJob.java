package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.LaunchedEvents.Event;
import dev.resiliency.examples.bench.chaos.LaunchedEvents.Expected;
import dev.resiliency.examples.bench.chaos.LaunchedFault.Kind;
import dev.resiliency.examples.bench.measure.Inbox;
import dev.resiliency.examples.job.AgentLine;
import dev.resiliency.examples.job.NamedLine;
import dev.resiliency.examples.job.ResiliencyProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A job under agents: lets one batch after the other hit it, and starts agents again that have ended, as a scheduler does. Each
 * time the job must be whole again, as the {@link LaunchedBatch} says. Every event goes through one queue and is handled by the
 * thread that called {@link #run}, to which all of this is confined.
 */
final class LaunchedJob implements ChaosJob {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration WHOLE_LIMIT = Duration.ofMinutes(3);
    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(1);
    private static final Duration EVENTS_LIMIT = Duration.ofSeconds(20);
    private static final Duration END_LIMIT = Duration.ofMinutes(2);
    /** For the processes of an agent that was killed. */
    private static final Duration ORPHANS_LIMIT = Duration.ofSeconds(10);
    /** Steps that all ranks begin after they know which one is the last. */
    private static final int LAST_STEPS = 600;

    private static final int COMMAND_TRIES = 4;

    private final LaunchedSettings settings;
    private final LaunchedPlan plan;
    private final Path directory;
    private final ChaosRun run;
    private final Timeline timeline = new Timeline(System.nanoTime());
    private final LaunchedBoard board;
    private final LaunchedEvents events = new LaunchedEvents();
    private final Inbox inbox;
    private final ResourceWatch resources = new ResourceWatch();
    private final LaunchedFleet fleet;
    private final Map<Integer, ResiliencyProcess> agents = new HashMap<>(); // by node, the latest of each
    private final Map<Integer, Integer> starts = new HashMap<>(); // by node
    private final Map<Integer, Long> dueStarts = new HashMap<>(); // by node
    private final Map<Integer, Integer> exits = new HashMap<>(); // by node whose agent has ended since the batch began
    private final Set<Integer> happened = new HashSet<>(); // faults that are over
    private boolean isOver;
    private boolean eventsHaveEnded;

    LaunchedJob(LaunchedSettings settings, LaunchedPlan plan, Path directory, ChaosRun run) throws IOException {
        this.settings = settings;
        this.plan = plan;
        this.directory = directory;
        this.run = run;
        inbox = new Inbox(run::isCancelled);
        board = new LaunchedBoard(settings, timeline);
        fleet = new LaunchedFleet(settings, directory);
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public List<String> violations() {
        return board.violations();
    }

    @Override
    public String toString() {
        return settings.toString();
    }

    /** Ends it with the first violation. */
    @Override
    public void run(long deadline) throws IOException, InterruptedException {
        try (fleet) {
            fleet.startStore();
            for (int node = 0; node < settings.nodes(); node++) {
                startAgent(node);
            }
            if (!awaitWhole(START_LIMIT)) {
                return;
            }
            followEvents();
            if (!await("the coming of all nodes is an event", COMMAND_LIMIT, this::haveAllCome)) {
                return;
            }
            for (int batch = 0; batch < settings.batches() && (batch == 0 || System.nanoTime() < deadline); batch++) {
                inbox.await(plan.pause(), () -> false);
                hit();
                if (!board.violations().isEmpty()) {
                    return;
                }
            }
            complete();
        } finally {
            run.tally().recovered(board.steps().counts());
        }
    }

    private void startAgent(int node) throws IOException {
        ResiliencyProcess agent = fleet.startAgent(node, starts.merge(node, 1, Integer::sum));
        agents.put(node, agent);
        timeline.add("the agent of node %d starts, process %d".formatted(node, agent.pid()));
        agent.follow(
                // A process that is alone on its node has the agent's output for itself, without a name in each line.
                line -> inbox.add(() -> board.printed(
                        node, NamedLine.parse(line).map(NamedLine::text).orElse(line))),
                line -> AgentLine.parse(line).ifPresent(said -> inbox.add(() -> board.said(node, said))),
                exitCode -> inbox.add(() -> ended(node, exitCode)));
    }

    private void ended(int node, int exitCode) {
        timeline.add("the agent of node %d exits with code %d".formatted(node, exitCode));
        board.agentEnded(node);
        exits.put(node, exitCode);
        if (!isOver) {
            dueStarts.put(node, System.nanoTime() + plan.untilAgentStarts().toNanos());
        }
    }

    private ResiliencyProcess agent(int node) {
        ResiliencyProcess agent = agents.get(node);
        if (agent == null) {
            throw new IllegalStateException("node " + node + " has no agent");
        }
        return agent;
    }

    private void followEvents() throws IOException {
        ResiliencyProcess follower = fleet.command(List.of("events", "--follow", "--json"));
        follower.follow(
                line -> inbox.add(() -> events.add(line)),
                line -> {},
                exitCode -> inbox.add(() -> {
                    eventsHaveEnded = true;
                    if (exitCode != 0) {
                        board.violation("'resiliency events --follow' has exited with code %d: see %s"
                                .formatted(exitCode, follower.log()));
                    }
                }));
    }

    /** Returns whether the events of the beginning are here, so that none of them is taken for one of the first fault. */
    private boolean haveAllCome() {
        return events.since(0).stream()
                        .filter(event -> event.kind().equals("NODE_CAME"))
                        .count()
                >= settings.nodes();
    }

    /** Handles what happens until the condition holds; starts agents meanwhile. Returns false if it does not within the limit. */
    private boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        return inbox.await(limit, () -> {
            schedule();
            return !board.violations().isEmpty() || condition.getAsBoolean();
        });
    }

    private void schedule() {
        long now = System.nanoTime();
        for (Map.Entry<Integer, Long> due : List.copyOf(dueStarts.entrySet())) {
            if (due.getValue() - now <= 0) {
                dueStarts.remove(due.getKey());
                try {
                    startAgent(due.getKey());
                } catch (IOException e) {
                    throw new IllegalStateException("no agent can be started", e);
                }
            }
        }
    }

    private @Nullable String missing() {
        for (int node = 0; node < settings.nodes(); node++) {
            if (!agent(node).isAlive() || dueStarts.containsKey(node)) {
                return "node %d has no agent".formatted(node);
            }
        }
        return board.missing();
    }

    private boolean awaitWhole(Duration limit) throws InterruptedException {
        return await("the job has its full size", limit, () -> missing() == null);
    }

    private boolean await(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        if (await(limit, condition)) {
            return board.violations().isEmpty();
        }
        if (!inbox.isCancelled()) {
            board.violation("not within %d s: %s; %s".formatted(limit.toSeconds(), what, missing()));
        }
        return false;
    }

    private void hit() throws IOException, InterruptedException {
        LaunchedBatch batch = batch();
        timeline.add(batch.toString());
        exits.clear();
        int known = events.count();
        long start = System.nanoTime();
        for (LaunchedFault fault : batch.faults()) {
            long due = start + fault.delay().toNanos();
            inbox.await(Duration.ofNanos(Math.max(0, due - System.nanoTime())), () -> false);
            inject(batch, fault);
        }
        boolean isWhole = await(
                "the job is whole again after " + batch,
                WHOLE_LIMIT,
                () -> batch.faults().stream().allMatch(fault -> hasHappened(batch, fault)) && missing() == null);
        if (isWhole) {
            long nanos = System.nanoTime() - start;
            judge(batch, known);
            for (LaunchedFault fault : batch.faults()) {
                boolean isDeadly = fault.endsProcess() || fault.kind().endsAgent();
                run.tally().struck(fault.label(), isDeadly, !isDeadly, false);
                run.tally().latency(batch.faults().size() == 1 ? fault.label() : Tally.SEVERAL, nanos);
            }
            run.say("job %d: %s: whole again after %.1f s, step %d"
                    .formatted(
                            settings.number(),
                            batch,
                            nanos / 1e9,
                            board.checkpoint().furthest()));
        }
    }

    private LaunchedBatch batch() {
        List<LaunchedFault> faults = plan.batch(settings.nodes());
        Map<Integer, LaunchedProcess> victims = new HashMap<>();
        for (LaunchedFault fault : faults) {
            if (fault.kind().isOfRank()) {
                // A reserve trains no step in which a fault could happen.
                List<LaunchedProcess> there = board.living(fault.node()).stream()
                        .filter(process -> fault.kind() != Kind.FAULT || board.isActive(process))
                        .toList();
                if (!there.isEmpty()) {
                    victims.put(fault.id(), plan.oneOf(there));
                }
            }
        }
        List<LaunchedFault> possible = faults.stream()
                .filter(fault -> !fault.kind().isOfRank() || victims.containsKey(fault.id()))
                .toList();
        return new LaunchedBatch(settings, possible, board.living(), victims, board.lastNode());
    }

    @SuppressWarnings("try") // busy processes only need to be closed
    private void inject(LaunchedBatch batch, LaunchedFault fault) throws IOException, InterruptedException {
        LaunchedProcess victim = batch.victim(fault);
        switch (fault.kind()) {
            case FAULT ->
                OrderFiles.give(
                        directory,
                        pid(victim),
                        Orders.inject(new ChaosFault(fault.id(), fault.rankFault(), Place.STEP, 0, Duration.ZERO)));
            case EXIT -> OrderFiles.give(directory, pid(victim), OrderFiles.exit(fault.exitCode()));
            case SIGNAL -> fleet.signal(signalOf(fault), List.of(pid(victim)));
            case AGENT_KILL -> agent(fault.node()).kill();
            case NODE_KILL -> agent(fault.node()).killAll();
            case AGENT_TERM -> fleet.signal("TERM", List.of(agent(fault.node()).pid()));
            case AGENT_PAUSE, AGENT_STOP -> {
                List<Long> pid = List.of(agent(fault.node()).pid());
                fleet.signal("STOP", pid);
                inbox.await(fault.length(), () -> false);
                fleet.signal("CONT", pid);
            }
            case AGENT_USR1 -> fleet.signal("USR1", List.of(agent(fault.node()).pid()));
            case STARVATION -> {
                try (BusyProcesses busy = new BusyProcesses(fault.length())) {
                    inbox.await(fault.length(), () -> false);
                }
            }
            case STRANGERS -> comeAsStrangers(fault.length());
            case DRAIN -> command(List.of("drain", LaunchedFleet.nameOf(fault.node())));
            case RESTART -> command(List.of("restart"));
            case SCALE -> scale();
        }
        happened.add(fault.id());
    }

    private void comeAsStrangers(Duration length) throws InterruptedException {
        try (Strangers strangers = new Strangers()) {
            inbox.await(length, () -> false);
            if (strangers.opened() == 0) {
                board.violation("strangers have found no port of the job");
            }
        }
    }

    /** Takes a node away, and back once its agent is there again. */
    private void scale() throws IOException, InterruptedException {
        int known = events.count();
        command(List.of("scale", range(settings.nodes() - 1)));
        boolean isBack = await(
                "a node leaves, and waits",
                COMMAND_LIMIT,
                () -> events.since(known).stream()
                        .anyMatch(event -> event.kind().equals("NODE_CAME")));
        if (isBack) {
            command(List.of("scale", range(settings.nodes())));
        }
    }

    private static long pid(@Nullable LaunchedProcess victim) {
        if (victim == null) {
            throw new IllegalStateException("a fault has no victim");
        }
        return victim.pid;
    }

    private static String range(int nodes) {
        return nodes + ":" + nodes;
    }

    private static String signalOf(LaunchedFault fault) {
        return switch (fault.rankFault()) {
            case SIGKILL -> "KILL";
            case SIGTERM -> "TERM";
            case SIGSTOP -> "STOP";
            case SIGSEGV -> "SEGV";
            default -> throw new IllegalArgumentException(fault.toString());
        };
    }

    /** Runs a command; one that comes at the same moment as a cycle asks to be tried again. */
    private void command(List<String> words) throws IOException, InterruptedException {
        for (int i = 0; i < COMMAND_TRIES; i++) {
            List<Integer> codes = new ArrayList<>();
            ResiliencyProcess command = fleet.command(words);
            command.follow(line -> {}, line -> {}, exitCode -> inbox.add(() -> codes.add(exitCode)));
            if (!await("the command ends: " + words, COMMAND_LIMIT, () -> !codes.isEmpty()) || codes.contains(0)) {
                return;
            }
            timeline.add("%s has exited with code %s: see %s".formatted(words, codes, command.log()));
        }
        board.violation("the command has failed %d times: %s".formatted(COMMAND_TRIES, words));
    }

    /** Returns whether a fault has had its effect, after which the job can be whole again. */
    private boolean hasHappened(LaunchedBatch batch, LaunchedFault fault) {
        LaunchedProcess victim = batch.victim(fault);
        if (victim != null && !victim.hasEnded) {
            ChaosEvent.Struck struck = victim.struck;
            ChaosEvent.Started started = victim.started;
            return !fault.endsProcess()
                    && struck != null
                    && struck.fault() == fault.id()
                    && started != null
                    && started.iteration() > struck.iteration();
        }
        return happened.contains(fault.id())
                && exits.keySet().containsAll(batch.agents())
                && batch.hit().stream().allMatch(process -> process.hasEnded);
    }

    private void judge(LaunchedBatch batch, int known) throws InterruptedException {
        Set<LaunchedProcess> hit = batch.hit();
        for (LaunchedProcess process : batch.before()) {
            if (!hit.contains(process) && (process.hasEnded || !isAlive(process))) {
                board.violation("%s has ended, though nothing has hit it: %s".formatted(process, batch));
            }
        }
        if (!await(ORPHANS_LIMIT, () -> hit.stream().noneMatch(LaunchedJob::isAlive))) {
            board.violation("these processes still run, though they should have ended with %s: %s"
                    .formatted(batch, hit.stream().filter(LaunchedJob::isAlive).toList()));
        }
        for (Map.Entry<Integer, Integer> exit : exits.entrySet()) {
            Set<Integer> codes = batch.exitCodes(exit.getKey());
            if (!codes.contains(exit.getValue())) {
                board.violation("the agent of node %d has exited with code %d, not with one of %s: %s"
                        .formatted(exit.getKey(), exit.getValue(), codes, batch));
            }
        }
        List<Expected> expected = batch.events();
        if (!await(EVENTS_LIMIT, () -> events.missing(expected, known).isEmpty())) {
            board.violation("no event of the job says so after %s: %s; there are %s"
                    .formatted(batch, events.missing(expected, known), events.since(known)));
        }
        List<Event> unexpected = events.causedSince(known);
        if (batch.isHarmless() && !unexpected.isEmpty()) {
            board.violation("there are events, though nothing has happened but %s: %s".formatted(batch, unexpected));
        }
        agents.forEach((node, agent) -> resources
                .look("the agent of node %d, process %d".formatted(node, agent.pid()), agent.pid())
                .ifPresent(board::violation));
    }

    private static boolean isAlive(LaunchedProcess process) {
        return ProcessHandle.of(process.pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** Lets the training end, and checks that nothing is left. */
    private void complete() throws IOException, InterruptedException {
        isOver = true;
        exits.clear();
        timeline.add("all ranks are to complete");
        OrderFiles.giveAll(directory, Orders.finishBefore(0, board.checkpoint().furthest() + LAST_STEPS));
        if (!await("all agents exit", END_LIMIT, () -> exits.size() == settings.nodes())) {
            return;
        }
        if (exits.values().stream().anyMatch(code -> code != 0)) {
            board.violation("agents exit with these codes at the end of the job: " + exits);
        }
        await("'resiliency events --follow' ends with the job", EVENTS_LIMIT, () -> eventsHaveEnded);
        List<String> left = new LaunchedRemains(fleet, settings, directory).find();
        left.forEach(what -> board.violation("left behind: " + what));
    }
}
