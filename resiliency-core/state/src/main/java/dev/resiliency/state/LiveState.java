package dev.resiliency.state;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.state.internal.Replica;
import java.util.Objects;

/**
 * The state of a training, such as weights and momentum, which all active ranks hold alike and which survives restarts
 * in their memory.
 *
 * <pre>{@code
 * wrapper.call(call -> {
 *     LiveState state = LiveState.of(call);
 *     FloatBuffer weights = state.floats("weights", n);
 *     long step = state.recover(() -> readCheckpoint(weights)); // from this process, a peer, or else the checkpoint
 *     while (++step <= STEPS) {
 *         ring.allReduce(gradients);
 *         state.commit(step, () -> optimizer.step(weights, gradients)); // no restart cuts through it
 *     }
 * });
 * }</pre>
 *
 * <p>In each call of the function, ask for all buffers, then {@link #recover}, and from then on change the buffers only in
 * {@link #commit}. The state must be <em>replicated</em>: after each step every active rank has the same bytes in its
 * buffers, and the buffers are all that a rank needs to go on. What is {@link #sharded} differs from shard to shard.
 *
 * <p>An instance belongs to one iteration. Once that has ended, its methods throw {@link
 * dev.resiliency.inprocess.RestartSignal} or {@link IllegalStateException}; the buffers belong to the next iteration
 * then, and no thread that an earlier one has left behind may write to them. One thread at a time may use an instance.
 *
 * @since 0.1.0
 */
public interface LiveState extends StateBuffers {

    /** Returns the state of this process for this iteration: what it holds is what the iteration before has left. */
    static LiveState of(CallWrapper call) {
        return Replica.of(call);
    }

    /**
     * Returns a value whose length may change with each step, and may differ from rank to rank until {@link #recover}: as the
     * buffers, it is the same object in all iterations of this process, and the same bytes on all ranks after each step. A
     * state that has shards cannot have any.
     *
     * @throws IllegalArgumentException if there is a buffer of this name
     * @throws IllegalStateException after {@link #recover}
     */
    StateValue value(String name);

    /**
     * Divides part of the state among the ranks: each holds one shard of it, in the buffers that the result gives out. A
     * copy of it lives in the memory of another rank, on another host if there is one, which survives the loss of either.
     *
     * <p>Copies are made in {@link #commit}, in the first step of an iteration and then every {@link Shard#copyEvery}
     * steps, and sent in the background. After the loss of a rank all ranks go back to the last step of which every shard is
     * left; without loss, nobody goes back. So a state with shards needs memory: two copies of all of its buffers, and of
     * the shard of another rank.
     *
     * @return where to ask for the buffers of this rank's shard, before {@link #recover}. They may have another length in
     *     an iteration in which the rank has another shard
     * @throws IllegalStateException after {@link #recover}, or if it was called with another shard in this iteration
     */
    StateBuffers sharded(Shard shard);

    /**
     * Brings this rank's buffers to the latest step that any active rank holds completely, and returns that step. All
     * active ranks must call it, once in each iteration; it returns when all have the same state, which a digest
     * confirms.
     *
     * <p>A rank that holds the step keeps its buffers; the others receive them from those ranks, over TCP. Where no rank
     * holds a complete state, or it cannot be transferred, or the digests differ, all ranks read the checkpoint. A restart
     * ends it at once; the state of a rank that was receiving is then incomplete, and it receives it again in the next
     * iteration.
     *
     * <p>Both timeouts of the hang protection are suspended meanwhile, except while {@code checkpoint} runs.
     *
     * @param checkpoint reads the checkpoint into the buffers
     * @throws E if {@code checkpoint} threw it
     * @throws dev.resiliency.inprocess.RestartAbort on all ranks, if one has other buffers than the others, or has read
     *     another step or other contents from the checkpoint; names the ranks. A restart would not help
     * @throws IllegalArgumentException if {@code checkpoint} returns a negative step
     * @throws IllegalStateException if it was called before in this iteration
     */
    <E extends Exception> long recover(CheckpointReader<E> checkpoint) throws E, InterruptedException;

    /**
     * Changes the buffers from the state of one step to that of the next, in an {@linkplain CallWrapper#atomic atomic
     * section}: a restart waits until it has ended. Keep all communication out of it. Counts as a {@link CallWrapper#ping}.
     *
     * <p>If the update throws, the state counts as incomplete: in the next iteration this rank receives that of another
     * one.
     *
     * @param step the number of the step that is complete afterwards, larger than that of the state before
     * @param update changes the buffers
     * @throws IllegalArgumentException if the step is not larger; the buffers are as they were
     * @throws IllegalStateException before {@link #recover}, after an update that threw, or if this instance belongs to an
     *     earlier iteration
     */
    void commit(long step, Runnable update);

    /**
     * Returns how {@link #recover} has recovered the state in this iteration.
     *
     * @throws IllegalStateException before that
     */
    RecoveryReport recovery();

    /**
     * One of the parts into which ranks divide some buffers: see {@link LiveState#sharded}. Several ranks may hold the same
     * one.
     *
     * @param index the number of this rank's shard, from 0 on
     * @param count the number of shards. If it changes, the state is read from the checkpoint, because only the function
     *     knows how to divide it anew
     * @param copyEvery after how many steps a copy is made; 20 by default. If copying takes longer, some are left out
     * @param bytesPerSecond how fast a rank fetches the copy that it keeps for another one; 250 MB/s by default, at least 1 MB/s
     * @param host returns the failure domain of a rank, which is lost as a whole: the name of its host by default.
     *     Use the key of the rank assignment if that has one, such as that of a rack. The text must not have line breaks
     */
    record Shard(int index, int count, int copyEvery, long bytesPerSecond, GroupKey host) {
        private static final int COPY_EVERY = 20;
        private static final long BYTES_PER_SECOND = 250_000_000;
        /** With less, a connection would look dead. */
        private static final long LEAST = 1_000_000;

        /** Checks the arguments. */
        public Shard {
            if (index < 0 || index >= count) {
                throw new IllegalArgumentException("shard " + index + " of " + count + " does not exist");
            }
            if (copyEvery < 1 || bytesPerSecond < LEAST) {
                throw new IllegalArgumentException("a copy every " + copyEvery + " steps, at " + bytesPerSecond
                        + " bytes per second: it must be every step at most, and at least at " + LEAST);
            }
            Objects.requireNonNull(host, "host is null");
        }

        /** Returns a shard with the defaults, such as {@code Shard.of(state.activeRank(), state.activeWorldSize())}. */
        public static Shard of(int index, int count) {
            return new Shard(index, count, COPY_EVERY, BYTES_PER_SECOND, GroupKey.hostName());
        }

        /** Returns this shard with another number of steps between copies. */
        public Shard copyEvery(int steps) {
            return new Shard(index, count, steps, bytesPerSecond, host);
        }

        /** Returns this shard with another limit for the transfer of copies. */
        public Shard bytesPerSecond(long limit) {
            return new Shard(index, count, copyEvery, limit, host);
        }

        /** Returns this shard with another key for what is lost together. */
        public Shard host(GroupKey key) {
            return new Shard(index, count, copyEvery, bytesPerSecond, key);
        }
    }

    /**
     * A part of a {@link LiveState} whose length changes: a model that grows, a vocabulary, the metrics of all steps so far.
     *
     * @since 0.1.0
     */
    interface StateValue {

        /** Returns the bytes themselves, which must not be changed; none before the first {@link #set}. */
        byte[] get();

        /**
         * Replaces the bytes, in {@link LiveState#commit} or while the checkpoint is read only. They are not copied, so leave the
         * array alone afterwards.
         */
        void set(byte[] bytes);
    }

    /**
     * Reads the checkpoint into the buffers of a {@link LiveState}, when no rank holds the state in memory.
     *
     * @param <E> what it throws; {@link RuntimeException} if nothing that is checked
     * @since 0.1.0
     */
    @FunctionalInterface
    interface CheckpointReader<E extends Exception> {

        /**
         * Fills all buffers, which may hold anything before: from the checkpoint or, without one, with the initial state.
         *
         * @return the step after which the checkpoint was written; 0 for the initial state. The same on all ranks
         */
        long read() throws E;
    }
}
