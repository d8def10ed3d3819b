package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.JobEvents.Event;
import dev.resiliency.examples.bench.chaos.JobEvents.Expected;
import dev.resiliency.examples.bench.measure.Inbox;
import dev.resiliency.examples.bench.measure.StagedStore.Stage;
import dev.resiliency.examples.job.AgentLine;
import dev.resiliency.examples.job.NamedLine;
import dev.resiliency.examples.job.ResiliencyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ranks under agents of {@code resiliency run}, one agent for each node; agents that have ended are started again. */
final class AgentRanks implements Ranks {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(1);
    private static final Duration EVENTS_LIMIT = Duration.ofSeconds(20);
    private static final Duration END_LIMIT = Duration.ofMinutes(2);
    /** For the processes of an agent that was killed, and what else a job may leave for a moment. */
    private static final Duration REMAINS_LIMIT = Duration.ofSeconds(10);
    /** Steps that all ranks begin after they know which one is the last. */
    private static final int LAST_STEPS = 600;

    private static final int COMMAND_TRIES = 4;
    private static final int BUSY_FOR_EACH_PROCESSOR = 6;
    /** What the chaos itself writes, and what a JVM says of its crash. */
    private static final String OWN_FILES = "run|checkpoint|orders-.*|.*\\.log";

    private final ChaosJob job;
    private final JobSettings.UnderAgents settings;
    private final ChaosPlan plan;
    private final Board board;
    private final Inbox inbox;
    private final AgentFleet fleet;
    private final JobEvents events = new JobEvents();
    private final ResourceWatch resources = new ResourceWatch();
    private final Map<Integer, ResiliencyProcess> agents = new HashMap<>(); // by node, the latest of each
    private final Map<Integer, Integer> starts = new HashMap<>(); // by node
    private final Map<Integer, Long> dueStarts = new HashMap<>(); // by node
    private final Map<Integer, Integer> exits = new HashMap<>(); // by node whose agent has ended since the batch began
    private final Map<Long, Integer> numbers = new HashMap<>(); // of processes, by process id
    private final Map<Long, List<ChaosEvent>> early = new HashMap<>(); // by process id, before its agent has named it
    private final Set<Integer> injected = new HashSet<>(); // faults that are over
    private AgentOutcome expected;
    /** How many events there were when the batch began. */
    private int known;

    private boolean isOver;
    private boolean eventsHaveEnded;

    AgentRanks(ChaosJob job, JobSettings.UnderAgents settings, ChaosPlan plan) throws IOException {
        this.job = job;
        this.settings = settings;
        this.plan = plan;
        board = job.board;
        inbox = job.inbox;
        fleet = new AgentFleet(settings, job.directory);
        expected = new AgentOutcome(settings, board, List.of(), List.of(), 0);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        fleet.startStore();
        for (int node = 0; node < settings.nodes(); node++) {
            startAgent(node);
        }
    }

    private void startAgent(int node) throws IOException {
        ResiliencyProcess agent = fleet.startAgent(node, starts.merge(node, 1, Integer::sum));
        agents.put(node, agent);
        job.timeline.add("the agent of node %d starts, process %d".formatted(node, agent.pid()));
        agent.follow(
                // A process that is alone on its node has the agent's output for itself, without a name in each line.
                line -> inbox.add(() ->
                        printed(node, NamedLine.parse(line).map(NamedLine::text).orElse(line))),
                line -> AgentLine.parse(line).ifPresent(said -> inbox.add(() -> said(node, said))),
                exitCode -> inbox.add(() -> ended(node, exitCode)));
    }

    /** A process has printed a line: its id, and an event. */
    private void printed(int node, String line) {
        ChaosEvent event;
        long pid;
        try {
            pid = Long.parseLong(line.substring(0, Math.max(0, line.indexOf(' '))));
            event = ChaosEvent.parse(line.substring(line.indexOf(' ') + 1));
        } catch (IllegalArgumentException e) {
            job.timeline.add(System.nanoTime(), AgentFleet.nameOf(node), "printed: " + line);
            return; // the JVM or a library, and half a line of a process that was killed
        }
        Integer process = numbers.get(pid);
        if (process == null) {
            early.computeIfAbsent(pid, key -> new ArrayList<>()).add(event); // another stream has that
        } else {
            board.apply(process, event);
        }
    }

    /** An agent has said something. */
    private void said(int node, AgentLine line) {
        job.timeline.add(System.nanoTime(), AgentFleet.nameOf(node), line.text());
        if (line.kind() == AgentLine.Kind.RUNS) {
            String called = line.process();
            int rank = called.startsWith("rank ") ? Integer.parseInt(called.substring(called.indexOf(' ') + 1)) : -1;
            String name = "%s of node %d (%d)".formatted(called, node, line.number());
            int process = board.launched(new ProcessView(name, rank, node, line.number(), true, System.nanoTime()));
            numbers.put(line.number(), process); // the kernel may give an id again later
            List<ChaosEvent> before = early.remove(line.number());
            if (before != null) {
                before.forEach(event -> board.apply(process, event));
            }
        } else if (line.kind() == AgentLine.Kind.ENDED && numbers.containsKey(line.number())) {
            board.ended(numbers.get(line.number()), 0);
        }
    }

    /** The agent of a node has ended, and its processes with it. */
    private void ended(int node, int exitCode) {
        job.timeline.add("the agent of node %d exits with code %d".formatted(node, exitCode));
        living(node).forEach(process -> board.ended(process, exitCode));
        exits.put(node, exitCode);
        if (!isOver) {
            dueStarts.put(node, System.nanoTime() + plan.untilAgentStarts().toNanos());
        }
    }

    private List<Integer> living(int node) {
        return board.survivors().stream()
                .filter(process -> board.process(process).node == node)
                .toList();
    }

    private ResiliencyProcess agent(int node) {
        return Objects.requireNonNull(agents.get(node));
    }

    @Override
    public void step() throws IOException {
        for (Map.Entry<Integer, Long> due : List.copyOf(dueStarts.entrySet())) {
            if (System.nanoTime() - due.getValue() >= 0) {
                dueStarts.remove(due.getKey());
                startAgent(due.getKey());
            }
        }
    }

    @Override
    public Duration limit() {
        return LIMIT;
    }

    @Override
    public @Nullable String missing() {
        int latest = latest();
        int active = 0;
        for (int node = 0; node < settings.nodes(); node++) {
            List<Integer> there = living(node);
            if (!agent(node).isAlive() || dueStarts.containsKey(node)) {
                return "node %d has no agent".formatted(node);
            }
            if (there.size() != settings.processesOfNode()) {
                return "node %d has these processes: %s".formatted(node, names(there));
            }
            for (int process : there) {
                ProcessView view = board.process(process);
                ChaosEvent.Started started = view.latest();
                if (started == null ? view.reached(Stage.CONNECTED) == null : started.iteration() != latest) {
                    return "%s is in %s of %d"
                            .formatted(view, started == null ? "no iteration" : started.iteration(), latest);
                }
                active += isActive(process) ? 1 : 0;
            }
        }
        if (active != settings.worldSize()) {
            return "%d of %d ranks are active in iteration %d".formatted(active, settings.worldSize(), latest);
        }
        boolean isSaved = board.survivors().stream().anyMatch(process -> board.process(process).savedIn == latest);
        return isSaved ? null : "no step is saved in iteration " + latest;
    }

    private List<String> names(Collection<Integer> processes) {
        return processes.stream().map(board::nameOf).toList();
    }

    private int latest() {
        return board.survivors().stream()
                .map(process -> board.process(process).latest())
                .flatMap(Stream::ofNullable)
                .mapToInt(ChaosEvent.Started::iteration)
                .max()
                .orElse(-1);
    }

    private boolean isActive(int process) {
        ChaosEvent.Started started = board.process(process).latest();
        return started != null && started.isActive() && started.iteration() == latest();
    }

    /** Before the first batch, follows the events, and waits for those of the beginning. */
    @Override
    public void look() throws IOException, InterruptedException {
        if (events.count() > 0) {
            return;
        }
        ResiliencyProcess follower = fleet.command(List.of("events", "--follow", "--json"));
        follower.follow(
                line -> inbox.add(() -> events.add(line)),
                line -> {},
                exitCode -> inbox.add(() -> {
                    eventsHaveEnded = true;
                    if (exitCode != 0) {
                        job.broken("'resiliency events --follow' has exited with code %d: see %s"
                                .formatted(exitCode, follower.log()));
                    }
                }));
        job.require(
                "the coming of all nodes is an event",
                COMMAND_LIMIT,
                () -> events.count(0, "NODE_CAME") >= settings.nodes());
    }

    @Override
    public Duration pause() {
        return plan.pauseOfNodes();
    }

    /** Draws a process for each fault that hits one; a reserve trains no step in which a fault could happen. */
    @Override
    public Batch draw() {
        List<ChaosFault> faults = new ArrayList<>();
        for (ChaosFault fault : plan.batchOfNodes(settings.nodes())) {
            List<Integer> possible = living(fault.process()).stream()
                    .filter(process -> fault.place() != Place.STEP || isActive(process))
                    .toList();
            if (!fault.place().isOfRank()) {
                faults.add(fault);
            } else if (!possible.isEmpty()) {
                faults.add(fault.at(plan.oneOf(possible)));
            }
        }
        int lastNode = board.survivors().stream()
                .map(board::process)
                .max(Comparator.comparing(process -> process.rank))
                .orElseThrow()
                .node;
        expected = new AgentOutcome(settings, board, faults, board.survivors(), lastNode);
        exits.clear();
        known = events.count();
        return new Batch(faults, null);
    }

    @Override
    public void inject(ChaosFault fault) throws IOException, InterruptedException {
        switch (fault.place()) {
            case STEP, EXIT -> Orders.give(job.directory, "" + pidOf(fault), Orders.inject(fault));
            case OUTSIDE -> fleet.signal(fault.signal(), List.of(pidOf(fault)));
            case AGENT_KILL -> agent(fault.process()).kill();
            case NODE_KILL -> agent(fault.process()).killAll();
            case AGENT_TERM ->
                fleet.signal("TERM", List.of(agent(fault.process()).pid()));
            case AGENT_USR1 ->
                fleet.signal("USR1", List.of(agent(fault.process()).pid()));
            case AGENT_PAUSE, AGENT_STOP -> {
                List<Long> pid = List.of(agent(fault.process()).pid());
                fleet.signal("STOP", pid);
                pass(fault.length());
                fleet.signal("CONT", pid);
            }
            case STARVATION -> starve(fault.length());
            case STRANGERS -> {
                try (Strangers strangers = new Strangers()) {
                    pass(fault.length());
                    if (strangers.opened() == 0) {
                        job.broken("strangers have found no port of the job");
                    }
                }
            }
            case DRAIN -> command("drain", AgentFleet.nameOf(fault.process()));
            case RESTART -> command("restart");
            case SCALE -> scale();
            default -> throw new IllegalArgumentException(fault.toString());
        }
        injected.add(fault.id());
    }

    private long pidOf(ChaosFault fault) {
        return board.process(fault.process()).pid;
    }

    private void pass(Duration time) throws InterruptedException {
        inbox.await(time, () -> false);
    }

    /** Lets processes take all processors, several times as many as there are. */
    private void starve(Duration length) throws IOException, InterruptedException {
        List<Process> busy = new ArrayList<>();
        String seconds = Long.toString(length.toSeconds() + 1);
        try {
            for (int i = 0; i < BUSY_FOR_EACH_PROCESSOR * Runtime.getRuntime().availableProcessors(); i++) {
                busy.add(new ProcessBuilder("timeout", seconds, "sh", "-c", "while :; do :; done").start());
            }
            pass(length);
        } finally {
            busy.forEach(Process::destroy); // timeout passes the signal on
        }
    }

    /** Takes a node away, and back once its agent is there again. */
    private void scale() throws IOException, InterruptedException {
        int before = events.count();
        int less = settings.nodes() - 1;
        command("scale", less + ":" + less);
        if (job.require("a node leaves, and waits", COMMAND_LIMIT, () -> events.count(before, "NODE_CAME") > 0)) {
            command("scale", settings.nodes() + ":" + settings.nodes());
        }
    }

    /** Runs a command; one that comes at the same moment as a cycle asks to be tried again. */
    private void command(String... words) throws IOException, InterruptedException {
        List<String> all = List.of(words);
        for (int i = 0; i < COMMAND_TRIES; i++) {
            List<Integer> codes = new ArrayList<>();
            ResiliencyProcess command = fleet.command(all);
            command.follow(line -> {}, line -> {}, exitCode -> inbox.add(() -> codes.add(exitCode)));
            if (!job.require("the command ends: " + all, COMMAND_LIMIT, () -> !codes.isEmpty()) || codes.contains(0)) {
                return;
            }
            job.timeline.add("%s has exited with code %s: see %s".formatted(all, codes, command.log()));
        }
        job.broken("the command has failed %d times: %s".formatted(COMMAND_TRIES, all));
    }

    @Override
    public boolean hasHappened(Batch batch) {
        return batch.faults().stream().allMatch(this::hasHappened)
                && exits.keySet().containsAll(expected.agents())
                && expected.hit().stream().allMatch(process -> board.process(process).exitCode != null);
    }

    /** A rank that is to survive a fault has begun an iteration after it, unless another fault has ended it. */
    private boolean hasHappened(ChaosFault fault) {
        if (fault.place() != Place.STEP || fault.isDeadly()) {
            return injected.contains(fault.id());
        }
        ProcessView victim = board.process(fault.process());
        ChaosEvent.Struck struck = board.struck(fault);
        ChaosEvent.Started latest = victim.latest();
        return victim.exitCode != null || (struck != null && latest != null && latest.iteration() > struck.iteration());
    }

    @Override
    public void judge(Batch batch, long start) throws InterruptedException {
        long nanos = System.nanoTime() - start;
        Set<Integer> hit = expected.hit();
        for (int process : expected.before()) {
            if (!hit.contains(process) && (board.process(process).exitCode != null || !isAlive(process))) {
                job.broken("%s has ended, though nothing has hit it: %s".formatted(board.nameOf(process), batch));
            }
        }
        if (!job.await(REMAINS_LIMIT, () -> hit.stream().noneMatch(this::isAlive))) {
            job.broken("these processes still run, though they should have ended with %s: %s"
                    .formatted(batch, names(hit.stream().filter(this::isAlive).toList())));
        }
        exits.forEach((node, code) -> {
            if (!expected.exitCodes(node).contains(code)) {
                job.broken("the agent of node %d has exited with code %d, not with one of %s: %s"
                        .formatted(node, code, expected.exitCodes(node), batch));
            }
        });
        List<Expected> awaited = expected.events();
        if (!job.await(EVENTS_LIMIT, () -> events.missing(awaited, known).isEmpty())) {
            job.broken("no event of the job says so after %s: %s; there are %s"
                    .formatted(batch, events.missing(awaited, known), events.since(known)));
        }
        List<Event> unexpected = events.causedSince(known);
        if (expected.isHarmless() && !unexpected.isEmpty()) {
            job.broken("there are events, though nothing has happened but %s: %s".formatted(batch, unexpected));
        }
        agents.forEach((node, agent) -> resources
                .look("the agent of node %d, process %d".formatted(node, agent.pid()), agent.pid())
                .ifPresent(job::broken));
        for (ChaosFault fault : batch.faults()) {
            job.run.tally().struck(fault.label(), fault.isDeadly(), !fault.isDeadly(), false);
        }
        job.run.tally().latency(batch.label(), nanos);
        job.say("%s %s: whole again after %.1f s, step %d"
                .formatted(batch, names(hit), nanos / 1e9, board.checkpoint().furthest()));
    }

    private boolean isAlive(int process) {
        return ProcessHandle.of(board.process(process).pid)
                .map(ProcessHandle::isAlive)
                .orElse(false);
    }

    /** Lets the training end, and checks that no process, file or key is left. */
    @Override
    public void complete() throws IOException, InterruptedException {
        isOver = true;
        exits.clear();
        job.timeline.add("all ranks are to complete");
        Orders.give(
                job.directory,
                Orders.ALL,
                Orders.finishBefore(board.checkpoint().furthest() + LAST_STEPS));
        if (!job.require("all agents exit", END_LIMIT, () -> exits.size() == settings.nodes())) {
            return;
        }
        if (exits.values().stream().anyMatch(code -> code != 0)) {
            job.broken("agents exit with these codes at the end of the job: " + exits);
        }
        job.require("'resiliency events --follow' ends with the job", EVENTS_LIMIT, () -> eventsHaveEnded);
        long deadline = System.nanoTime() + REMAINS_LIMIT.toNanos();
        List<String> left = remains();
        while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
            pass(Duration.ofMillis(100));
            left = remains();
        }
        left.forEach(what -> job.broken("left behind: " + what));
    }

    private List<String> remains() throws IOException, InterruptedException {
        List<String> left = new ArrayList<>();
        ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> belongsToJob(process.pid()))
                .forEach(process -> left.add("process " + process.pid()));
        // Agents keep their directories, and the times that they have learned for the next run of the job.
        Path kept = fleet.runDirectory().resolve("times");
        try (Stream<Path> notes = Files.walk(fleet.runDirectory());
                Stream<Path> files = Files.list(job.directory)) {
            Stream<Path> written = notes.filter(Files::isRegularFile).filter(note -> !note.startsWith(kept));
            Stream<Path> others =
                    files.filter(file -> !file.getFileName().toString().matches(OWN_FILES));
            Stream.concat(written, others).forEach(file -> left.add("file " + file));
        }
        new KeyWatch(fleet.storePort(), settings.jobId()).remains().forEach(key -> left.add("key " + key));
        return left;
    }

    /** The processes of ranks, and their monitors, have the directory of the job on their command lines; the store has not. */
    private boolean belongsToJob(long pid) {
        try {
            String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            return command.contains(ChaosRankCommand.class.getName()) && command.contains(job.directory.toString());
        } catch (IOException gone) {
            return false;
        }
    }

    @Override
    public void close() {
        fleet.close();
    }
}
