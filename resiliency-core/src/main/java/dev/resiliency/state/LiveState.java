package dev.resiliency.state;

import dev.resiliency.inprocess.CallWrapper;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.function.Supplier;

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
 * buffers, and the buffers are all that a rank needs to go on.
 *
 * <p>An instance belongs to one iteration. Once that has ended, its methods throw {@link
 * dev.resiliency.inprocess.RestartSignal} or {@link IllegalStateException}; the buffers belong to the next iteration
 * then, and no thread that an earlier one has left behind may write to them. One thread at a time may use an instance.
 *
 * @since 0.1.0
 */
public interface LiveState {

    /** Returns the state of this process for this iteration: what it holds is what the iteration before has left. */
    static LiveState of(CallWrapper call) {
        return Implementation.FACTORY.of(call);
    }

    /**
     * Returns a buffer of floats on the heap, whose {@link FloatBuffer#array} may be used. The name identifies it in all
     * iterations and on all ranks. It is created, with zeros, the first time, and is then the same array in all iterations
     * of this process.
     *
     * @throws IllegalArgumentException if the buffer of this name has another type or length
     * @throws IllegalStateException after {@link #recover}
     */
    FloatBuffer floats(String name, int length);

    /** Returns a buffer of doubles on the heap: see {@link #floats}. */
    DoubleBuffer doubles(String name, int length);

    /** Returns a buffer of longs on the heap: see {@link #floats}. */
    LongBuffer longs(String name, int length);

    /** Returns a buffer of bytes on the heap: see {@link #floats}. */
    ByteBuffer bytes(String name, int length);

    /**
     * Makes a buffer of the user's part of the state: a direct one, or a mapped file. It is transferred without being
     * copied in this process. What it contains the first time counts for nothing.
     *
     * @param allocate returns the buffer, whose whole capacity counts; called in the first iteration of this process only
     * @return a view of the buffer, of all its bytes and with its byte order
     * @throws IllegalArgumentException if the buffer of this name has another type, or the buffer is read-only
     * @throws IllegalStateException after {@link #recover}
     */
    ByteBuffer memory(String name, Supplier<? extends ByteBuffer> allocate);

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
     * section}: a restart waits until it has ended. Keep all communication out of it.
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

    /** Creates the instances; for {@link java.util.ServiceLoader}. */
    interface Factory {
        /** See {@link LiveState#of}. */
        LiveState of(CallWrapper call);
    }
}
