package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Stage;
import dev.resiliency.examples.job.AgentLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the agents and the ranks of a launched job have said. Confined to the thread of the job. */
final class LaunchedBoard extends Board {
    private final LaunchedSettings settings;
    private final Timeline timeline;
    private final Map<Long, LaunchedProcess> processes = new LinkedHashMap<>(); // by process id
    private final Map<Long, List<ChaosEvent>> early =
            new LinkedHashMap<>(); // by process id, before its agent has named it
    private int savedIn = -1;
    /** How many processes have begun. */
    private int begun;

    LaunchedBoard(LaunchedSettings settings, Timeline timeline) {
        super(settings.worldSize(), timeline);
        this.settings = settings;
        this.timeline = timeline;
    }

    /** An agent has said something. */
    void said(int node, AgentLine line) {
        timeline.add(System.nanoTime(), LaunchedFleet.nameOf(node), line.text());
        switch (line.kind()) {
            case RUNS -> {
                LaunchedProcess process = new LaunchedProcess(begun++, node, line.process(), line.number());
                processes.put(process.pid, process);
                List<ChaosEvent> before = early.remove(process.pid);
                if (before != null) {
                    before.forEach(event -> apply(process, event));
                }
            }
            case ENDED -> ended(line.number());
            default -> {}
        }
    }

    private void ended(long pid) {
        LaunchedProcess process = processes.get(pid);
        if (process != null) {
            process.hasEnded = true;
        }
    }

    /** The agent of a node has ended, and its processes with it. */
    void agentEnded(int node) {
        living().stream().filter(process -> process.node == node).forEach(process -> process.hasEnded = true);
    }

    /** A process has printed a line: its id, and an event. */
    void printed(int node, String line) {
        ChaosEvent event;
        long pid;
        try {
            pid = Long.parseLong(line.substring(0, Math.max(0, line.indexOf(' '))));
            event = ChaosEvent.parse(line.substring(line.indexOf(' ') + 1));
        } catch (IllegalArgumentException e) {
            timeline.add(System.nanoTime(), LaunchedFleet.nameOf(node), "printed: " + line);
            return; // the JVM or a library, and half a line of a process that was killed
        }
        LaunchedProcess process = processes.get(pid);
        if (process == null) {
            early.computeIfAbsent(pid, key -> new ArrayList<>()).add(event); // another stream has that
        } else {
            apply(process, event);
        }
    }

    private void apply(LaunchedProcess process, ChaosEvent event) {
        // A spare process has the rank of another one.
        boolean isSpare = process.rank() < 0 && event instanceof ChaosEvent.Started;
        int rank = isSpare ? ((ChaosEvent.Started) event).number() : process.rank();
        watch(process.number, rank, process.toString(), event);
        if (event instanceof ChaosEvent.Saved saved) {
            savedIn = Math.max(savedIn, saved.iteration());
        } else if (event instanceof ChaosEvent.Started started) {
            process.started = started;
        } else if (event instanceof ChaosEvent.Reached reached && reached.stage() == Stage.CONNECTED) {
            process.isConnected = true;
        } else if (event instanceof ChaosEvent.Struck struck) {
            process.struck = struck;
        }
    }

    /** Returns the processes that have not ended. */
    List<LaunchedProcess> living() {
        return processes.values().stream().filter(process -> !process.hasEnded).toList();
    }

    /** Returns those of a node. */
    List<LaunchedProcess> living(int node) {
        return living().stream().filter(process -> process.node == node).toList();
    }

    Optional<LaunchedProcess> process(long pid) {
        return Optional.ofNullable(processes.get(pid));
    }

    /** Returns whether it trains in the latest iteration. */
    boolean isActive(LaunchedProcess process) {
        ChaosEvent.Started started = process.started;
        return started != null && started.iteration() == latest() && started.isActive();
    }

    /** Returns the latest iteration that a living process has begun. */
    int latest() {
        return living().stream()
                .map(process -> process.started)
                .mapToInt(started -> started == null ? -1 : started.iteration())
                .max()
                .orElse(-1);
    }

    /** Returns the node with the highest ranks, which is the first to leave. */
    int lastNode() {
        return living().stream()
                .max((a, b) -> Integer.compare(a.rank(), b.rank()))
                .orElseThrow()
                .node;
    }

    /** Returns what is missing until the job has its full size, and trains; null if it does. */
    @Nullable
    String missing() {
        int latest = latest();
        int active = 0;
        for (int node = 0; node < settings.nodes(); node++) {
            List<LaunchedProcess> there = living(node);
            if (there.size() != settings.processesOfNode()) {
                return "node %d has these processes: %s".formatted(node, there);
            }
            for (LaunchedProcess process : there) {
                ChaosEvent.Started started = process.started;
                boolean isThere = started == null ? process.isConnected : started.iteration() == latest;
                if (!isThere) {
                    return "%s is in %s of %d"
                            .formatted(process, started == null ? "no iteration" : started.iteration(), latest);
                }
                active += isActive(process) ? 1 : 0;
            }
        }
        if (active != settings.worldSize()) {
            return "%d of %d ranks are active in iteration %d".formatted(active, settings.worldSize(), latest);
        }
        return savedIn == latest ? null : "no step is saved in iteration " + latest;
    }
}
