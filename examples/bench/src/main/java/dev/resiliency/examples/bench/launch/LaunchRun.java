package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.bench.launch.LaunchBoard.Times;
import dev.resiliency.examples.bench.measure.Inbox;
import dev.resiliency.examples.job.AgentLine;
import dev.resiliency.examples.job.NamedLine;
import dev.resiliency.examples.job.ResiliencyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A new job under an agent, the SIGKILL of one of its ranks, and its replacement. Confined to one thread but for the queue. */
final class LaunchRun {
    private static final String VICTIM = "rank 1";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    /** CPU time per second of all processes together; their steps alone take less. */
    private static final Duration SETTLED = Duration.ofMillis(250);

    private final Replacement how;
    private final int ranks;
    private final String backoff;
    private final Path directory;
    private final LaunchBoard board;
    private final Inbox events = new Inbox(); // written by threads that read lines
    private boolean hasEnded;

    LaunchRun(Replacement how, int ranks, String backoff, Path directory) {
        this.how = how;
        this.ranks = ranks;
        this.backoff = backoff;
        this.directory = directory;
        board = new LaunchBoard(ranks);
    }

    Times measure() throws IOException, InterruptedException {
        Path end = directory.resolve("end");
        try (ResiliencyProcess agent = ResiliencyProcess.start("agent", directory, commandLine(end))) {
            agent.follow(this::printed, this::said, exitCode -> events.add(() -> hasEnded = true));
            int processes = ranks + how.spares();
            events.require("all ranks train", LIMIT, () -> board.isFull() && board.started() == processes);
            events.requireSettled(agent::processorTime, SETTLED, LIMIT);
            kill();
            events.require("all ranks train again", LIMIT, board::isFull);
            Times times = board.times();
            Files.createFile(end);
            events.require("the agent ends", LIMIT, () -> hasEnded);
            return times;
        }
    }

    private List<String> commandLine(Path end) {
        List<String> line = new ArrayList<>(List.of("run", "--nproc-per-node", "" + ranks, "--backoff", backoff));
        line.addAll(how.options());
        line.addAll(List.of("--run-dir", directory.resolve("run").toString(), "--"));
        line.addAll(ResiliencyProcess.javaCommand(directory, List.of("-Xmx128m")));
        line.addAll(List.of(LaunchRankCommand.class.getName(), "--end=" + end));
        return line;
    }

    private void printed(String line) {
        NamedLine.parse(line)
                .ifPresent(named -> LaunchBoard.Mark.parse(named.text())
                        .ifPresent(mark -> events.add(() -> board.apply(named.process(), mark))));
    }

    private void said(String line) {
        long now = System.nanoTime();
        AgentLine.parse(line).ifPresent(said -> events.add(() -> board.apply(said, now)));
    }

    private void kill() {
        ProcessHandle victim = ProcessHandle.of(board.pid(VICTIM)).orElseThrow();
        board.killed(System.nanoTime());
        victim.destroyForcibly();
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

        /** Returns the options of the agent. */
        List<String> options() {
            return List.of("--restart-policy", policy, "--spares", "" + spares);
        }

        int spares() {
            return spares;
        }

        /** Returns the name on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
