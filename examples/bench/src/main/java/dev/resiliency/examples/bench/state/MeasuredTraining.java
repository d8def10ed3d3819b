package dev.resiliency.examples.bench.state;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.LiveState;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.state.RecoveryReport.Source;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A training loop without training: each step meets the other ranks, takes its time, and changes the state, which has the
 * step in its first bytes. It is recovered from memory or, for comparison, from the checkpoint in every iteration.
 */
final class MeasuredTraining implements RestartableFunction<String> {
    private static final int COMMITS = 200_000;
    private static final int ROUNDS = 5;
    private static final String OVER = "over";

    private final Settings settings;
    private final Consumer<StateMark> marks;
    /** Written by the thread that reads commands, read by the function's. */
    private volatile boolean isOver;

    /**
     * What to measure.
     *
     * @param bytes the size of the state
     * @param stepMillis how long a step takes
     * @param checkpointInterval steps from one checkpoint to the next
     * @param isLive whether the state is recovered from memory
     * @param checkpoint its file, which all ranks share
     */
    record Settings(int bytes, long stepMillis, int checkpointInterval, boolean isLive, Path checkpoint) {}

    MeasuredTraining(Settings settings, Consumer<StateMark> marks) {
        this.settings = settings;
        this.marks = marks;
    }

    /** Makes the function return after its next step, on all ranks, if this is active rank 0. */
    void finish() {
        isOver = true;
    }

    @Override
    public @Nullable String call(CallWrapper call) throws Exception {
        return settings.isLive() ? live(call) : fromCheckpoint(call);
    }

    private @Nullable String live(CallWrapper call) throws Exception {
        LiveState state = LiveState.of(call);
        ByteBuffer memory = state.memory("state", () -> ByteBuffer.allocateDirect(settings.bytes()));
        long step = state.recover(() -> readCheckpoint(memory));
        RecoveryReport report = state.recovery();
        marks.accept(new StateMark.Recovered(
                call.iteration(), step, report.source(), report.duration().toNanos(), PhaseNanos.of(report.phases())));
        if (call.iteration() > 0 && call.state().activeWorldSize() > 1) {
            StateMark plain = PlainSocket.run(call, memory);
            if (plain != null) {
                marks.accept(plain);
            }
        }
        if (call.iteration() == 0) {
            marks.accept(new StateMark.Commit(commitNanos(call, state, step)));
            step += (long) COMMITS * ROUNDS;
        }
        return train(call, step, memory, (next, update) -> state.commit(next, update));
    }

    private @Nullable String fromCheckpoint(CallWrapper call) throws Exception {
        long start = System.nanoTime();
        ByteBuffer memory = ByteBuffer.allocateDirect(settings.bytes());
        long step = readCheckpoint(memory);
        marks.accept(new StateMark.Recovered(
                call.iteration(), step, Source.CHECKPOINT, System.nanoTime() - start, PhaseNanos.NONE));
        return train(call, step, memory, (next, update) -> update.run());
    }

    /** Makes the update of a step. */
    private interface Commit {
        void commit(long step, Runnable update);
    }

    private @Nullable String train(CallWrapper call, long from, ByteBuffer memory, Commit commit) throws Exception {
        long step = from;
        boolean isLast = false;
        while (!isLast) {
            call.ping();
            long next = step + 1;
            Thread.sleep(settings.stepMillis());
            isLast = together(call, next);
            commit.commit(next, () -> memory.putLong(0, next));
            step = next;
            marks.accept(new StateMark.Completed(call.iteration(), step, System.nanoTime()));
            if (call.state().activeRank() == 0 && step % settings.checkpointInterval() == 0) {
                writeCheckpoint(call, memory);
            }
        }
        return "done";
    }

    /**
     * Waits until all ranks have come to this step, as a collective does; returns whether it is the last one. Rank 0 says
     * so before it arrives: a rank that ended on its own would leave the others waiting for it.
     */
    private boolean together(CallWrapper call, long step) throws InterruptedException {
        State state = call.state();
        if (isOver && state.activeRank() == 0) {
            call.store().set(OVER, Long.toString(step));
        }
        call.store()
                .barrier(
                        "step-" + step,
                        IndexSet.range(0, state.activeWorldSize()),
                        IndexSet.of(state.activeRank()),
                        Store.FOREVER);
        return call.store().check(List.of(OVER))
                && Long.parseLong(call.store().get(OVER).text()) == step;
    }

    /** Returns what a commit takes more than the update alone: the least of several rounds, as others may run. */
    private static double commitNanos(CallWrapper call, LiveState state, long from) {
        long[] changed = new long[1];
        Runnable update = () -> changed[0]++;
        double least = Double.MAX_VALUE;
        long step = from;
        for (int round = 0; round < ROUNDS; round++) {
            call.ping();
            long start = System.nanoTime();
            for (int i = 0; i < COMMITS; i++) {
                state.commit(++step, update);
            }
            long committed = System.nanoTime();
            for (int i = 0; i < COMMITS; i++) {
                update.run();
            }
            long alone = System.nanoTime() - committed;
            least = Math.min(least, (double) (committed - start - alone) / COMMITS);
        }
        return least;
    }

    private long readCheckpoint(ByteBuffer memory) throws IOException {
        memory.putLong(0, 0);
        if (Files.exists(settings.checkpoint())) {
            try (FileChannel file = FileChannel.open(settings.checkpoint(), StandardOpenOption.READ)) {
                ByteBuffer target = memory.duplicate().clear();
                while (target.hasRemaining() && file.read(target) >= 0) {}
            }
        }
        return memory.getLong(0);
    }

    @SuppressWarnings("try") // the section is only closed
    private void writeCheckpoint(CallWrapper call, ByteBuffer memory) throws IOException {
        Path temporary = settings.checkpoint().resolveSibling("checkpoint.tmp");
        try (AtomicSection section = call.atomic();
                FileChannel file = FileChannel.open(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer source = memory.duplicate().clear();
            while (source.hasRemaining()) {
                file.write(source);
            }
            Files.move(temporary, settings.checkpoint(), ATOMIC_MOVE);
        }
    }
}
