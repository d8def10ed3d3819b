package dev.resiliency.state.internal;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.monitor.spi.StampWriter;
import dev.resiliency.state.LiveState;
import dev.resiliency.state.LiveState.CheckpointReader;
import dev.resiliency.state.LiveState.StateValue;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.state.StateBuffers;
import dev.resiliency.state.StateMemory;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One iteration's view of the replica of this process. */
final class IterationState implements LiveState {
    private final Replica replica;
    private final CallWrapper call;
    private final BufferSet replicated;
    private final BufferSet ofShard;
    /** Confined to the function's thread. */
    private @Nullable Shard shard;
    /** Confined to the function's thread. */
    private boolean hasBegun;
    /** Null before the end of the recovery. Written by the thread that recovers, read by the one that commits. */
    private volatile @Nullable RecoveryReport report;
    /** Null if nothing is copied. Written before {@code report}. */
    private @Nullable BackgroundCopies copying;
    /** The sockets and threads that last as long as the iteration. */
    private final Connections connections;

    IterationState(Replica replica, CallWrapper call) {
        this.replica = replica;
        this.call = call;
        this.replicated = new BufferSet(replica, false, this::checkBeforeRecovery);
        this.ofShard = new BufferSet(replica, true, this::checkBeforeRecovery);
        this.connections = new Connections(call.state().initialRank());
    }

    boolean isOf(CallWrapper other) {
        return call == other;
    }

    @Override
    public FloatBuffer floats(String name, int length) {
        return replicated.floats(name, length);
    }

    @Override
    public DoubleBuffer doubles(String name, int length) {
        return replicated.doubles(name, length);
    }

    @Override
    public LongBuffer longs(String name, int length) {
        return replicated.longs(name, length);
    }

    @Override
    public ByteBuffer bytes(String name, int length) {
        return replicated.bytes(name, length);
    }

    @Override
    public ByteBuffer memory(String name, Supplier<? extends ByteBuffer> allocate) {
        return replicated.memory(name, allocate);
    }

    @Override
    public <M extends StateMemory> M external(String name, Supplier<M> open) {
        return replicated.external(name, open);
    }

    @Override
    public StateValue value(String name) {
        return replicated.value(name);
    }

    @Override
    public StateBuffers sharded(Shard its) {
        Objects.requireNonNull(its, "shard is null");
        checkBeforeRecovery("of " + its);
        if (shard != null && !shard.equals(its)) {
            throw new IllegalStateException("this iteration has " + shard + ", and cannot have " + its + " as well");
        }
        shard = its;
        replica.useShard(its.index(), its.count());
        return ofShard;
    }

    private void checkBeforeRecovery(String buffer) {
        checkCurrent();
        if (hasBegun) {
            throw new IllegalStateException("ask for the buffer '" + buffer + "' before recover");
        }
    }

    private void checkCurrent() {
        call.checkRestart();
        if (!replica.isCurrent(this)) {
            throw new IllegalStateException("this LiveState is of iteration " + call.iteration()
                    + ", which is over: each call of the function must use LiveState.of(call)");
        }
    }

    @Override
    public <E extends Exception> long recover(CheckpointReader<E> checkpoint) throws E, InterruptedException {
        Objects.requireNonNull(checkpoint, "checkpoint is null");
        checkCurrent();
        if (hasBegun) {
            throw new IllegalStateException("recover was called before in iteration " + call.iteration());
        }
        hasBegun = true;
        OwnParts parts = new OwnParts(replicated.regions(), ofShard.regions(), shard);
        parts.check();
        replica.retain(parts.regions());
        Recovery recovery = new Recovery(call, replica, parts, connections);
        RecoveryReport done = recovery.run(checkpoint);
        copying = recovery.copyInBackground();
        report = done;
        return done.step();
    }

    @Override
    @SuppressWarnings("try") // the section is only closed
    public void commit(long step, Runnable update) {
        try (AtomicSection section = call.atomic()) {
            checkCurrent();
            call.ping();
            if (report == null) {
                throw new IllegalStateException("commit of step " + step + " before recover");
            }
            if (!replica.isWhole()) {
                throw new IllegalStateException(
                        "the update after step " + replica.version().step()
                                + " has failed, so the state is incomplete: let what it threw end the function");
            }
            if (step <= replica.version().step()) {
                throw new IllegalArgumentException("the state is that of step "
                        + replica.version().step() + ", so step " + step + " cannot follow");
            }
            replica.beginWrite();
            update.run();
            replica.endWrite(step);
            StampWriter.ofThisProcess().reached(step);
            if (copying != null) {
                copying.committed(replica.version());
            }
        }
    }

    @Override
    public RecoveryReport recovery() {
        RecoveryReport done = report;
        if (done == null) {
            throw new IllegalStateException("recover has not ended");
        }
        return done;
    }

    /** Ends what goes on in the background. */
    void close() {
        connections.close();
    }
}
