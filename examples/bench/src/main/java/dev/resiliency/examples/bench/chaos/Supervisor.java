package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.examples.bench.measure.StagedStore.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a rank again when its process has ended, or when its host is lost, as the supervisors of a job do; some of these
 * processes are killed on their way into the job. Also starts what happens around a job and is none of its business: processes
 * that do not belong to it, and other clients of its store. Confined to the thread of the job.
 */
final class Supervisor {
    private static final Duration BUSY = Duration.ofMillis(1500);

    private final ChaosJob job;
    private final Board board;
    private final JobSettings settings;
    private final ChaosPlan plan;
    private final JobProcesses processes;
    private final Map<Integer, ChaosPlan.Crash> crashes = new HashMap<>(); // by process
    private final Map<Integer, Long> elsewhere = new HashMap<>(); // by process whose host is lost: when it is replaced
    private final Map<Integer, Foreign> foreign = new HashMap<>(); // by process
    private final Set<Integer> closed = new HashSet<>();
    private final Set<Integer> forgotten = new HashSet<>();
    private final Set<Integer> remembered = new HashSet<>();
    private List<ChaosFault> crashed = new ArrayList<>();
    private @Nullable Neighbour neighbour;
    private boolean isOver;

    Supervisor(ChaosJob job, JobSettings settings, ChaosPlan plan, JobProcesses processes) {
        this.job = job;
        this.board = job.board;
        this.settings = settings;
        this.plan = plan;
        this.processes = processes;
    }

    /** A process that must be refused, or return at once, and why it was started; writes nothing but its log. */
    private record Foreign(Disturbance kind, int worldSize, Path directory) {
        /** Returns what is wrong with the way in which it was turned away; null if nothing is. */
        @Nullable
        String judge(ProcessView process, int ranks) {
            ChaosEvent.Left left = process.left;
            boolean isRefused = left != null
                    && left.exception().equals("RankFencedException")
                    && left.message().contains("does not admit it")
                    && left.message()
                            .contains("it has %d ranks, but WORLD_SIZE is %d here".formatted(ranks, worldSize));
            if (kind == Disturbance.LATE ? !process.hasCompleted : !isRefused) {
                return "%s should have %s, but: %s"
                        .formatted(
                                process.name,
                                kind == Disturbance.LATE
                                        ? "returned, as the job was complete"
                                        : "been refused with the reason",
                                left);
            }
            try (Stream<Path> files = Files.list(directory)) {
                List<Path> written =
                        files.filter(file -> !file.toString().endsWith(".log")).toList();
                return written.isEmpty() ? null : "%s has written %s".formatted(process.name, written);
            } catch (IOException e) {
                return "the files of %s cannot be listed: %s".formatted(process.name, e);
            }
        }
    }

    /** Draws what begins now around the job. */
    void disturb() throws IOException {
        List<Integer> ranks = IntStream.range(0, settings.ranks()).boxed().toList();
        OptionalInt otherWorld = plan.otherWorld(settings.ranks());
        if (otherWorld.isPresent() && foreign.isEmpty()) {
            int worldSize = otherWorld.getAsInt();
            startForeign(Disturbance.OTHER_WORLD, 1 + plan.oneOf(ranks) % (worldSize - 1), worldSize);
        }
        int seconds = (int) board.survivors().stream()
                .filter(process -> !board.process(process).isSupervised)
                .count();
        if (plan.hasSecondProcess(seconds)) {
            job.run.tally().disturbed(Disturbance.STARTED_TWICE);
            launch(plan.oneOf(ranks), false);
        }
        if (plan.hasNeighbour() && neighbour == null) {
            job.timeline.add("a neighbour keeps the store busy");
            job.run.tally().disturbed(Disturbance.NEIGHBOUR);
            neighbour = new Neighbour(processes.storePort(), BUSY);
        }
    }

    /** Starts processes of a job that is complete. */
    void comeLate() throws IOException {
        if (plan.hasLateProcesses()) {
            startForeign(Disturbance.LATE, 0, settings.ranks());
            startForeign(Disturbance.LATE, settings.ranks() - 1, settings.ranks());
        }
    }

    private void startForeign(Disturbance kind, int rank, int worldSize) throws IOException {
        String name = "%s %d/%d".formatted(kind, rank, worldSize);
        int process = board.launched(ProcessView.foreign(name, rank));
        Path directory = job.directory.resolve("foreign-" + process);
        foreign.put(process, new Foreign(kind, worldSize, directory));
        job.run.tally().disturbed(kind);
        processes.startForeign(process, rank, worldSize, directory);
    }

    /** Returns whether nothing is left of what happens around the job. */
    boolean isQuiet() {
        return foreign.isEmpty() && neighbour == null;
    }

    /** Goes on. Must be called now and then. */
    void step() throws IOException {
        Neighbour last = neighbour;
        if (last != null && last.isOver()) {
            neighbour = null;
            job.run.tally().add(Count.NEIGHBOUR_BYTES, last.bytes());
            if (last.bytes() == 0) {
                board.violation("the store has answered none of the requests of a neighbour");
            }
        }
        for (int process : board.launched()) {
            if (!forgotten.contains(process)) {
                step(process, board.process(process));
            }
        }
    }

    private void step(int process, ProcessView view) throws IOException {
        if (view.reached(Stage.MONITORED) != null && view.exitCode == null && remembered.add(process)) {
            processes.rememberChildren(process);
        }
        boolean hasReturned = view.left != null || (view.isForeign && view.hasCompleted);
        if (hasReturned && view.exitCode == null && closed.add(process)) {
            processes.tell(process, Orders.close());
        }
        if (!isOver) {
            crashIfDue(process, view);
            if (view.isSupervised && !view.isReplaced && isToBeReplaced(process, view)) {
                view.isReplaced = true;
                launch(view.rank, true);
                job.run.tally().add(Count.REPLACED, 1);
            }
        }
        if (view.exitCode != null && (view.isForeign || !isOver)) {
            forgotten.add(process);
            processes.forget(process);
            Foreign ended = foreign.remove(process);
            if (ended != null) {
                String wrong = ended.judge(view, settings.ranks());
                job.run.tally().add(Count.PROCESSES_REFUSED, wrong == null ? 1 : 0);
                if (wrong != null) {
                    board.violation(wrong);
                }
            }
        }
    }

    private boolean isToBeReplaced(int process, ProcessView view) {
        if (view.exitCode != null) {
            return true;
        }
        ChaosFault deadly = view.deadly;
        if (deadly == null || !deadly.leavesStandingStill() || board.struck(deadly) == null) {
            return false;
        }
        long due = elsewhere.computeIfAbsent(
                process, key -> System.nanoTime() + plan.untilStartedElsewhere().toNanos());
        return System.nanoTime() - due >= 0;
    }

    /** Starts another process of a rank, which may be killed on its way into the job; returns its number. */
    int launch(int rank, boolean isSupervised) throws IOException {
        int process = board.launched(rank, isSupervised);
        processes.start(process, rank);
        plan.crash().ifPresent(crash -> crashes.put(process, crash));
        return process;
    }

    private void crashIfDue(int process, ProcessView view) throws IOException {
        ChaosPlan.Crash crash = crashes.get(process);
        if (crash == null || !crash.isDue(view, System.nanoTime())) {
            return;
        }
        crashes.remove(process);
        // A process that has come meanwhile may be the victim of a fault, which must be able to happen.
        if (view.deadly == null && !view.hasFaultAhead() && view.exitCode == null) {
            ChaosFault fault = plan.crashOf(process);
            board.ordered(fault);
            board.injected(fault);
            processes.inject(fault);
            crashed.add(fault);
        }
    }

    /** Returns the faults that have killed processes on their way into the job since the last call. */
    List<ChaosFault> takeCrashed() {
        List<ChaosFault> taken = crashed;
        crashed = new ArrayList<>();
        return taken;
    }

    /** Starts and kills no more processes. */
    void end() {
        isOver = true;
    }
}
