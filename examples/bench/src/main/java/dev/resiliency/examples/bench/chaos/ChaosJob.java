package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.examples.job.ProcessWatch;
import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.Diagnosis;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A job that is broken again and again, wherever its ranks live: lets one batch after the other hit it, waits each time until
 * it is whole again, and has it judged. Confined to the thread that called {@link #run}.
 */
abstract class ChaosJob {
    private static final Duration SEARCH_PAUSE = Duration.ofMillis(50);

    final Path directory;
    final ChaosRun run;
    final Timeline timeline = new Timeline(System.nanoTime());
    final Board board;
    final ProcessWatch watch;
    private final Plan plan;
    private final JobSettings settings;
    private boolean hasStarted;

    ChaosJob(Plan plan, JobSettings settings, Path directory, ChaosRun run) {
        this.plan = plan;
        this.settings = settings;
        this.directory = directory;
        this.run = run;
        board = new Board(settings.worldSize(), settings.active(), timeline);
        watch = new ProcessWatch(run::isCancelled);
    }

    /** Starts all of its processes. */
    abstract void start() throws IOException, InterruptedException;

    /** Returns how long it may take until it has started, or until it is whole again after a batch. */
    abstract Duration limit();

    /** Returns what is missing until it has its full size, and trains; null if it does. */
    abstract @Nullable String missing();

    /** Starts again what has ended, as a supervisor or a scheduler does. Called now and then. */
    abstract void step() throws IOException;

    /** Checks it while it is at rest. */
    abstract void look() throws IOException, InterruptedException;

    /** Draws the next batch, and begins what happens beside it. */
    abstract Batch draw() throws IOException, InterruptedException;

    /** Injects a fault of the batch that was drawn. */
    abstract void inject(ChaosFault fault) throws IOException, InterruptedException;

    /** Returns whether the batch has had its effect, after which the job can be whole again. */
    abstract boolean hasHappened(Batch batch);

    /** Judges what the batch, which began at this time, has led to, once the job is whole, and counts it. */
    abstract void judge(Batch batch, long start) throws InterruptedException;

    /** Lets it complete, and checks that nothing is left. */
    abstract void complete() throws IOException, InterruptedException;

    /** Frees what is left when all processes have ended. */
    void close() throws IOException {}

    /** Runs it until it has been hit so often, or until this time, but at least once; ends it with the first violation. */
    void run(long deadline) throws IOException, InterruptedException {
        run.say(toString());
        try (watch) {
            start();
            hasStarted = true;
            if (await(Patience.stretch(limit()), () -> missing() == null)) { // processes may start slowly
                breakAgainAndAgain(deadline);
            } else {
                broken("the job has not started: " + missing());
            }
            if (!isBroken()) {
                complete();
            }
            if (isBroken() && !run.isCancelled()) {
                Files.writeString(directory.resolve("threads.txt"), Diagnosis.of(ProcessHandle.current()));
            }
        } finally {
            run.tally().recovered(board.states.counts());
            run.tally().add(Count.GENERATIONS, board.iterations.begunAnew());
            run.tally().add(Count.FOUNDATIONS, board.iterations.foundations());
            close();
        }
    }

    private void breakAgainAndAgain(long deadline) throws IOException, InterruptedException {
        for (int batch = 0; !isBroken() && batch < settings.batches(); batch++) {
            look();
            await(plan.pause(), () -> false);
            if (isBroken() || (batch > 0 && System.nanoTime() >= deadline)) { // one that starts slowly is hit, too
                return;
            }
            hit();
        }
    }

    private void hit() throws IOException, InterruptedException {
        Batch batch = draw();
        if (isBroken()) {
            return;
        }
        timeline.add("is hit by " + batch);
        long start = System.nanoTime();
        for (ChaosFault fault : batch.faults()) {
            long due = start + fault.delay().toNanos();
            await(Duration.ofNanos(Math.max(0, due - System.nanoTime())), () -> false);
            inject(fault);
        }
        if (!await(limit().plus(batch.outageTime()), () -> hasHappened(batch) && missing() == null)) {
            broken("after %s the job has not recovered: %s".formatted(batch, missing()));
        } else if (!isBroken()) {
            judge(batch, start);
        }
    }

    /** Handles events until the condition holds, or the job must end; returns false if neither does within the limit. */
    boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        return watch.await(limit, () -> {
            try {
                if (hasStarted && !isBroken()) {
                    step();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return isBroken() || condition.getAsBoolean();
        });
    }

    /** Does the same; a condition that does not hold in time is a violation. Returns whether the job goes on. */
    boolean require(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        if (!await(limit, condition)) {
            broken("not within %d s: %s".formatted(limit.toSeconds(), what));
        }
        return !isBroken();
    }

    /** Handles events for this time. */
    void pass(Duration time) throws InterruptedException {
        watch.await(time, () -> false);
    }

    /** Names what is still there. */
    interface Search {
        List<String> look() throws IOException, InterruptedException;
    }

    /** Handles events until nothing is found; returns what there still is after this time. */
    List<String> awaitNone(Duration limit, Search search) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        List<String> found = search.look();
        while (!found.isEmpty() && System.nanoTime() - deadline < 0) {
            pass(SEARCH_PAUSE);
            found = search.look();
        }
        return found;
    }

    /** Sends a signal to a process, unless it is gone. */
    static void signal(String name, long... pids) throws InterruptedException {
        for (long pid : pids) {
            try {
                if (name.equals("KILL")) { // at once
                    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                } else {
                    Signal.send(name, List.of(pid));
                }
            } catch (IOException gone) {
                // it has ended
            }
        }
    }

    /** Names the processes that have the directory of the job on their command lines, as ranks and their monitors have. */
    List<String> ranksLeft() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> pid != ProcessHandle.current().pid() && isOfRank(pid))
                .map(pid -> "process " + pid)
                .toList();
    }

    private boolean isOfRank(long pid) {
        try {
            String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            return command.contains(directory.toString()) && !command.contains(ResiliencyCommand.class.getName());
        } catch (IOException gone) {
            return false;
        }
    }

    void broken(String what) {
        if (!run.isCancelled()) {
            board.violation(what);
        }
    }

    /** Returns whether the job must end, since an invariant is broken or the run is cancelled. */
    boolean isBroken() {
        return run.isCancelled() || !board.violations().isEmpty();
    }

    int number() {
        return settings.number();
    }

    void say(String what) {
        run.say("job %d: %s".formatted(number(), what));
    }

    @Override
    public String toString() {
        return "job %d: %s".formatted(number(), settings);
    }
}
