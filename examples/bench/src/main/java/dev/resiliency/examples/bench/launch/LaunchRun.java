package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.bench.measure.Resiliency;
import dev.resiliency.examples.job.ProcessWatch;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A new job under an agent, the SIGKILL of one of its ranks, and its replacement. Confined to one thread. */
final class LaunchRun {
    private static final String VICTIM = "rank 1";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    /** CPU time per second of all processes together; their steps alone take less. */
    private static final Duration SETTLED = Duration.ofMillis(250);
    /** A {@linkplain LaunchRankCommand#mark mark} behind the name that the agent gives the process. */
    private static final Pattern MARK = Pattern.compile("\\[([^]]+)] process (\\d+) in a world of (\\d+) at (\\d+)");

    private final Replacement how;
    private final int ranks;
    private final Path directory;
    private long victim; // its process id
    private final Map<Long, Long> startedAt = new HashMap<>(); // by process id: when its program began
    private final Map<Long, Long> enteredAt = new HashMap<>(); // likewise: when it first entered a full world
    /** What was on its way when the rank was killed does not count. */
    private long killedAt = Long.MIN_VALUE;

    private boolean hasEnded;

    LaunchRun(Replacement how, int ranks, Path directory) {
        this.how = how;
        this.ranks = ranks;
        this.directory = directory;
    }

    /**
     * Times of one replacement, in nanoseconds.
     *
     * @param total from the SIGKILL until the function runs on as many ranks as before
     * @param untilStart of that, until the program of the last new process has begun; 0 if none was needed
     */
    record Times(long total, long untilStart) {}

    Times measure() throws IOException, InterruptedException {
        Path end = directory.resolve("end");
        try (ProcessWatch processes = new ProcessWatch()) {
            ProcessJob agent = processes.start(Resiliency.command(directory, commandLine(end)));
            processes.follow(agent.rank(0), this::printed, exitCode -> hasEnded = true);
            int all = ranks + how.spares;
            processes.require("all ranks train", LIMIT, () -> isFull() && startedAt.size() == all);
            processes.requireSettled(SETTLED, LIMIT);
            kill();
            processes.require("all ranks train again", LIMIT, this::isFull);
            Times times = times();
            Files.createFile(end);
            processes.require("the agent ends", LIMIT, () -> hasEnded);
            return times;
        }
    }

    /** No failure of a bench is one at start-up, after which the agent would wait. */
    private List<String> commandLine(Path end) {
        List<String> line = new ArrayList<>(List.of("run", "--nproc-per-node", "" + ranks, "--startup-time", "0"));
        line.addAll(List.of("--restart-policy", how.policy, "--spares", "" + how.spares));
        line.addAll(List.of("--run-dir", directory.resolve("run").toString(), "--"));
        line.addAll(Resiliency.rank(directory, List.of("-Xmx128m"), LaunchRankCommand.class, List.of("--end=" + end)));
        return line;
    }

    private void printed(String line) {
        Matcher mark = MARK.matcher(line);
        if (!mark.matches() || Long.parseLong(mark.group(4)) < killedAt) {
            return;
        }
        long pid = Long.parseLong(mark.group(2));
        long nanos = Long.parseLong(mark.group(4));
        int world = Integer.parseInt(mark.group(3));
        victim = mark.group(1).equals(VICTIM) ? pid : victim;
        if (world == 0) {
            startedAt.put(pid, nanos);
        } else if (world == ranks) {
            enteredAt.putIfAbsent(pid, nanos);
        }
    }

    /** Returns whether the function runs on as many ranks as there shall be, since the kill if there was one. */
    private boolean isFull() {
        return enteredAt.size() >= ranks;
    }

    private void kill() {
        ProcessHandle process = ProcessHandle.of(victim).orElseThrow();
        killedAt = System.nanoTime();
        startedAt.clear();
        enteredAt.clear();
        process.destroyForcibly();
    }

    private Times times() {
        long full = enteredAt.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        long began = startedAt.values().stream()
                .mapToLong(Long::longValue)
                .filter(nanos -> nanos < full)
                .max()
                .orElse(killedAt);
        return new Times(full - killedAt, began - killedAt);
    }

    /** How the agent replaces a rank. */
    enum Replacement {
        /** A spare process steps in. */
        SPARE("soft", 1),
        /** A new process is started, and joins. */
        FRESH("soft", 0),
        /** All ranks end, and start again. */
        HARD("hard", 0);

        private final String policy;
        private final int spares;

        Replacement(String policy, int spares) {
            this.policy = policy;
            this.spares = spares;
        }

        /** Returns the name on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
