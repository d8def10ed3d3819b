package dev.resiliency.pytorch;

import org.bytedeco.pytorch.ProcessGroup;
import org.bytedeco.pytorch.Tensor;

/**
 * The active ranks of an iteration, which combine tensors. All must call the same methods in the same order, with tensors
 * of the same shape and type.
 *
 * <p>Each operation blocks until it is complete. A wait for a slow rank does not count as a hang of this one. When the
 * restart begins, an operation that waits ends with {@link dev.resiliency.inprocess.RestartSignal}, {@link
 * InterruptedException} or {@link ProcessGroupException}, and so does each later one.
 *
 * <p>Belongs to the thread of the function, which must also close it, after everything that uses {@link #processGroup}.
 *
 * @since 0.1.0
 */
public interface TensorGroup extends AutoCloseable {
    /** Returns this rank within the group: its active rank. */
    int rank();

    /** Returns the number of ranks in the group: the active world size. */
    int size();

    /**
     * Replaces each element by its sum over all ranks.
     *
     * @throws ProcessGroupException if a rank has died, or the group's timeout expires
     */
    void allReduce(Tensor tensor) throws InterruptedException;

    /**
     * Replaces the tensor by that of one rank.
     *
     * @param root the rank whose tensor all others receive
     * @throws ProcessGroupException if a rank has died, or the group's timeout expires
     */
    void broadcast(Tensor tensor, int root) throws InterruptedException;

    /**
     * Returns the tensors of all ranks as one, which has one more dimension: the rank, as the first one.
     *
     * @throws ProcessGroupException if a rank has died, or the group's timeout expires
     */
    Tensor allGather(Tensor tensor) throws InterruptedException;

    /**
     * Returns once all ranks have called this.
     *
     * @throws ProcessGroupException if a rank has died, or the group's timeout expires
     */
    void barrier() throws InterruptedException;

    /**
     * Returns PyTorch's own view of the group, for its {@code Reducer}. It is closed with this group. Use it inside {@link
     * #run}.
     */
    ProcessGroup processGroup();

    /**
     * Runs code that uses {@link #processGroup}, such as {@code backward()} of a model with a {@code Reducer}. A restart
     * ends what waits inside it. But the wrapper cannot see that it only waits: a wait that exceeds the soft timeout counts
     * as a hang.
     *
     * @throws ProcessGroupException if PyTorch throws
     */
    void run(Runnable action) throws InterruptedException;

    /** Frees the group, and waits until operations in flight have ended. Idempotent. */
    @Override
    void close();
}
