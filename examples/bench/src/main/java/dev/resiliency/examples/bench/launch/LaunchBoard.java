package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.job.AgentLine;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    void apply(String process, Mark mark) {
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
    Times times() {
        long start = killedAt.orElseThrow();
        long full = enteredAt.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        boolean isNew = launchedAt.isPresent() && launchedAt.getAsLong() - full < 0;
        long began =
                startedAt.values().stream().mapToLong(Long::longValue).max().orElse(full);
        return new Times(
                full - start,
                isNew ? launchedAt.getAsLong() - start : 0,
                isNew ? Math.max(0, Math.min(began, full) - launchedAt.getAsLong()) : 0);
    }

    /**
     * A line that a rank prints: plain text, since the first JSON of a process takes as long as a restart.
     *
     * @param world the number of active ranks with which it has entered the function; 0 when its program has just started
     * @param nanos {@link System#nanoTime}, which is the same clock in all processes of a host
     */
    record Mark(int world, long nanos) {
        private static final Pattern FORM = Pattern.compile("world (\\d+) at (\\d+)");

        /** Returns a mark of now. */
        static Mark now(int world) {
            return new Mark(world, System.nanoTime());
        }

        String toLine() {
            return "world %d at %d".formatted(world, nanos);
        }

        /** Reads what {@link #toLine} has written; empty if it is something else. */
        static Optional<Mark> parse(String line) {
            Matcher matcher = FORM.matcher(line);
            return matcher.matches()
                    ? Optional.of(new Mark(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2))))
                    : Optional.empty();
        }
    }

    /**
     * Times of one replacement, in nanoseconds.
     *
     * @param total from the SIGKILL until the function runs on as many ranks as before
     * @param untilLaunch of that, until the agent has started a process, its pause included; 0 if none was needed
     * @param programStart of that, until the program of the last new process has begun; 0 if none was needed
     */
    record Times(long total, long untilLaunch, long programStart) {
        /** Returns the rest, until the new process trains with the others. */
        long joining() {
            return total - untilLaunch - programStart;
        }
    }
}
