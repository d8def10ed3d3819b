package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.job.AgentLine;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** What the agent and the ranks of a measured job have reported. Pure data. */
final class LaunchBoard {
    private final int ranks;
    private final Map<String, Long> pids = new HashMap<>(); // by the agent's name of the process: the latest
    private final Map<String, Long> startedAt = new HashMap<>(); // likewise: when its program began
    private final Map<String, Long> enteredAt = new HashMap<>(); // likewise: when it first entered a full world
    private int starts;
    private OptionalLong killedAt = OptionalLong.empty();
    private OptionalLong launchedAt = OptionalLong.empty();

    LaunchBoard(int ranks) {
        this.ranks = ranks;
    }

    /** Takes a line of the agent, which was read at this time. */
    void apply(AgentLine line, long nanos) {
        if (line.kind() == AgentLine.Kind.RUNS) {
            pids.put(line.process(), line.number());
            starts++;
            if (killedAt.isPresent() && launchedAt.isEmpty()) {
                launchedAt = OptionalLong.of(nanos);
            }
        }
    }

    /** Takes a mark of a process. */
    void apply(String process, LaunchMark mark) {
        if (killedAt.isPresent() && mark.nanos() - killedAt.getAsLong() < 0) {
            return; // on its way when the rank was killed
        }
        if (mark.world() == 0) {
            startedAt.put(process, mark.nanos());
        } else if (mark.world() == ranks) {
            enteredAt.putIfAbsent(process, mark.nanos());
        }
    }

    /** Returns the process id of a process; 0 if it does not run. */
    long pid(String process) {
        return pids.getOrDefault(process, 0L);
    }

    /** Returns how many processes the agent has started. */
    int starts() {
        return starts;
    }

    /** Records the kill; what was reported before does not count any more. */
    void killed(long nanos) {
        killedAt = OptionalLong.of(nanos);
        startedAt.clear();
        enteredAt.clear();
    }

    /** Returns whether the function runs on as many ranks as there shall be, since the kill if there was one. */
    boolean isFull() {
        return enteredAt.size() >= ranks;
    }

    /** Returns how many programs have begun since the kill, or at all. */
    int started() {
        return startedAt.size();
    }

    /** Returns the times since the kill, once the world is full again. */
    LaunchTimes times() {
        long start = killedAt.orElseThrow();
        long full = enteredAt.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        boolean isNew = launchedAt.isPresent() && launchedAt.getAsLong() - full < 0;
        long began =
                startedAt.values().stream().mapToLong(Long::longValue).max().orElse(full);
        return new LaunchTimes(
                full - start,
                isNew ? launchedAt.getAsLong() - start : 0,
                isNew ? Math.max(0, Math.min(began, full) - launchedAt.getAsLong()) : 0);
    }
}
