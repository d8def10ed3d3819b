package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.JobEvents.Event;
import dev.resiliency.examples.bench.chaos.JobEvents.Expected;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A job under agents of {@code resiliency run}, one for each node: when it is whole, and what a batch must lead to. */
final class AgentJob extends ChaosJob {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration FIRST_EVENTS_LIMIT = Duration.ofMinutes(1);
    private static final Duration EVENTS_LIMIT = Duration.ofSeconds(20);
    private static final Duration END_LIMIT = Duration.ofMinutes(2);
    /** For the processes of an agent that was killed, and what else a job may leave for a moment. */
    private static final Duration REMAINS_LIMIT = Duration.ofSeconds(10);
    /** Steps that all ranks begin after they know which one is the last. */
    private static final int LAST_STEPS = 600;

    /** What the chaos itself writes, what a JVM says of its crash, and what Netty unpacks if its process is killed just then. */
    private static final String OWN_FILES = "checkpoint|orders-.*|.*\\.log|libnetty_.*\\.so";

    private final NodePlan plan;
    private final JobSettings.UnderAgents settings;
    private final AgentFleet fleet;
    private final JobEvents events = new JobEvents();
    private final ResourceWatch resources = new ResourceWatch();
    private final Set<Integer> injected = new HashSet<>(); // faults that are over
    private AgentOutcome expected;

    AgentJob(NodePlan plan, Path directory, ChaosRun run) throws IOException {
        super(plan, plan.settings, directory, run);
        this.plan = plan;
        settings = plan.settings;
        fleet = new AgentFleet(this, plan);
        expected = new AgentOutcome(settings, board, -1, List.of(), List.of());
    }

    @Override
    void start() throws IOException, InterruptedException {
        fleet.start();
    }

    @Override
    void step() throws IOException {
        fleet.step();
    }

    @Override
    Duration limit() {
        return LIMIT;
    }

    @Override
    @Nullable
    String missing() {
        ChaosEvent.Started newest = newest();
        int latest = newest == null ? -1 : newest.iteration();
        int active = 0;
        for (int node = 0; node < settings.nodes(); node++) {
            List<ProcessView> there = living(node);
            if (fleet.agent(node) == null) {
                return "node %d has no agent".formatted(node);
            }
            if (there.size() != settings.processesOfNode()) {
                return "node %d has these processes: %s".formatted(node, there);
            }
            for (ProcessView process : there) {
                ChaosEvent.Started started = process.latest();
                if (started == null ? !process.has(ChaosEvent.Prepared.class) : isBehind(started, newest)) {
                    return "%s is in %s of %d"
                            .formatted(process, started == null ? "no iteration" : started.iteration(), latest);
                }
                active += isActive(process) ? 1 : 0;
            }
        }
        if (active != settings.worldSize()) {
            return "%d of %d ranks are active in iteration %d".formatted(active, settings.worldSize(), latest);
        }
        boolean isSaved =
                board.survivors().stream().anyMatch(process -> process.in(latest, ChaosEvent.Saved.class) != null);
        return isSaved ? null : "no step is saved in iteration " + latest;
    }

    private List<ProcessView> living(int node) {
        return board.survivors().stream()
                .filter(process -> process.node == node)
                .toList();
    }

    private ChaosEvent.@Nullable Started newest() {
        return board.survivors().stream()
                .map(ProcessView::latest)
                .flatMap(Stream::ofNullable)
                .max(Comparator.comparingInt(ChaosEvent.Started::iteration))
                .orElse(null);
    }

    /** Whoever was in an earlier generation waits to join this one, which admits no more than it needs until its next restart. */
    private static boolean isBehind(ChaosEvent.Started started, ChaosEvent.@Nullable Started newest) {
        return newest != null
                && started.iteration() != newest.iteration()
                && started.generation() == newest.generation();
    }

    private boolean isActive(ProcessView process) {
        ChaosEvent.Started newest = newest();
        return process.isActive() && newest != null && process.started(newest.iteration()) != null;
    }

    /** Before the first batch, follows the events, and waits for those of the beginning. */
    @Override
    void look() throws IOException, InterruptedException {
        if (events.isEmpty()) {
            fleet.follow(events);
            require(
                    "the coming of all nodes is an event",
                    FIRST_EVENTS_LIMIT,
                    () -> events.count("NODE_CAME") >= settings.nodes());
        }
    }

    /** Draws a process for each fault that hits one; a reserve trains no step in which a fault could happen. */
    @Override
    Batch draw() throws InterruptedException {
        int host = fleet.host();
        List<ChaosFault> faults = new ArrayList<>();
        for (ChaosFault fault : plan.batch(host)) {
            List<Integer> possible = living(fault.process()).stream()
                    .filter(process -> fault.place() != Place.STEP || isActive(process))
                    .map(process -> process.index)
                    .toList();
            if (!fault.place().isOfRank()) {
                faults.add(fault);
            } else if (!possible.isEmpty()) {
                faults.add(fault.at(plan.oneOf(possible)));
            }
        }
        expected = new AgentOutcome(settings, board, host, faults, board.survivors());
        fleet.exits.clear();
        events.mark();
        return new Batch(faults, null);
    }

    @Override
    void inject(ChaosFault fault) throws IOException, InterruptedException {
        if (fault.place() == Place.SCALE) {
            fleet.scale(events);
        } else {
            fleet.inject(fault);
        }
        injected.add(fault.id());
    }

    @Override
    boolean hasHappened(Batch batch) {
        return batch.faults().stream().allMatch(this::hasHappened)
                && fleet.exits.keySet().containsAll(expected.agents())
                && (expected.isUncertain() // then a process may also have followed its agent to the next store
                        || expected.hit().stream().allMatch(process -> process.exitCode != null));
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
    void judge(Batch batch, long start) throws InterruptedException {
        long nanos = System.nanoTime() - start;
        Set<ProcessView> hit = expected.hit();
        for (ProcessView process : expected.before()) {
            if (!hit.contains(process) && !fleet.isAlive(process) && !expected.isUncertain()) {
                broken("%s has ended, though nothing has hit it: %s".formatted(process, batch));
            }
        }
        fleet.exits.forEach((node, code) -> {
            if (!expected.exitCodes(node).contains(code)) {
                broken("the agent of node %d has exited with code %d, not with one of %s: %s"
                        .formatted(node, code, expected.exitCodes(node), batch));
            }
        });
        List<Expected> awaited = expected.events();
        if (!await(EVENTS_LIMIT, () -> events.missing(awaited).isEmpty())) {
            broken("no event of the job says so after %s: %s; there are %s"
                    .formatted(batch, events.missing(awaited), events.sinceMark()));
        }
        List<Event> unexpected = events.causedSinceMark();
        if (expected.isHarmless() && !unexpected.isEmpty()) {
            broken("there are events, though nothing has happened but %s: %s".formatted(batch, unexpected));
        }
        int host = fleet.host();
        for (int node = 0; node < settings.nodes(); node++) {
            RankProcess agent = fleet.agent(node);
            if (agent != null) {
                String role = node == host ? " (host)" : "";
                resources
                        .look("the agent of node %d, process %d%s".formatted(node, agent.pid(), role), agent.pid())
                        .ifPresent(this::broken);
            }
        }
        for (ChaosFault fault : batch.faults()) {
            run.tally().struck(fault.label(), !fault.isDeadly(), false);
        }
        run.tally().latency(batch.label(), nanos);
        say("%s %s: whole again after %.1f s, step %d".formatted(batch, hit, nanos / 1e9, board.states.furthest()));
    }

    /** Lets the training end, and checks that no process, file or key is left. */
    @Override
    void complete() throws IOException, InterruptedException {
        fleet.end();
        timeline.add("all ranks are to complete");
        Orders.give(directory, Orders.ALL, Orders.finishBefore(board.states.furthest() + LAST_STEPS));
        if (!require("all agents exit", END_LIMIT, () -> fleet.exits.size() == settings.nodes())) {
            return;
        }
        if (fleet.exits.values().stream().anyMatch(code -> code != 0)) {
            broken("agents exit with these codes at the end of the job: " + fleet.exits);
        }
        require("'resiliency events --follow' ends with the job", EVENTS_LIMIT, events::haveEnded);
        awaitNone(REMAINS_LIMIT, this::remains).forEach(what -> broken("left behind: " + what));
    }

    private List<String> remains() throws IOException, InterruptedException {
        List<String> left = new ArrayList<>(ranksLeft());
        // Agents keep the times that they have learned for the next run of the job.
        Path kept = fleet.runDirectory().resolve("times");
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(kept))
                    .filter(file -> !file.getFileName().toString().matches(OWN_FILES))
                    .forEach(file -> left.add("file " + file));
        }
        if (!settings.hosted()) {
            new KeyWatch(fleet.storePort, settings.jobId()).remains().forEach(key -> left.add("key " + key));
        }
        return left;
    }
}
