package dev.resiliency.nccl;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.internal.communicator.IterationCommunicator;
import java.time.Duration;
import java.util.Set;

/**
 * An NCCL communicator of one iteration. A restart aborts it, from another thread, so that whatever waits for its work
 * returns.
 *
 * <pre>{@code
 * try (NcclCommunicator world = NcclCommunicator.bootstrap(call, device);
 *         CudaStream stream = CudaStream.create(device)) {
 *     world.allReduce(gradient, gradient, Reduction.SUM, stream);
 *     world.synchronize(stream);
 *     world.finish();
 * }
 * }</pre>
 *
 * <p>All ranks of a communicator call its operations in the same order. An operation enqueues work on a stream, and {@link
 * #synchronize} waits for it. NCCL first connects to the peers, so the first operation waits until they call it too. A
 * restart ends all these waits. For one thread at a time.
 *
 * <p>Operations throw {@link NcclAbortedException} if the communicator was aborted or closed, {@link GpuCallException} if
 * NCCL returns an error, {@link GpuException} if the peers do not take part within the limit, and {@link
 * IllegalArgumentException} if the sizes or types of the buffers do not match or there is no such rank.
 *
 * @since 0.1.0
 */
public interface NcclCommunicator extends AutoCloseable {
    /** How long the creation of a communicator may take: 30 s. */
    Duration DEFAULT_LIMIT = Duration.ofSeconds(30);
    /** How long an operation may wait for its peers, which may be busy for long: 10 minutes. */
    Duration DEFAULT_OPERATION_LIMIT = Duration.ofMinutes(10);

    /** Creates the communicator of all active ranks, named {@code world}, within {@link #DEFAULT_LIMIT}. */
    static NcclCommunicator bootstrap(CallWrapper call, int device) throws InterruptedException {
        return bootstrap(call, device, "world", DEFAULT_LIMIT);
    }

    /** Creates a communicator of all active ranks whose operations have {@link #DEFAULT_OPERATION_LIMIT}. */
    static NcclCommunicator bootstrap(CallWrapper call, int device, String name, Duration limit)
            throws InterruptedException {
        return bootstrap(call, device, name, limit, DEFAULT_OPERATION_LIMIT);
    }

    /**
     * Creates a communicator of all active ranks of this iteration, which must all call this. Active rank 0 publishes its
     * id under the iteration's prefix of the store. The communicator is aborted with the iteration, even while it is being
     * created.
     *
     * @param device the device of this rank
     * @param name its name in messages and in the store, unique in the iteration
     * @param limit how long its creation may take, and later that of a communicator made from it
     * @param operationLimit how long an operation or {@link #finish} may wait for the peers
     * @throws GpuUnavailableException if the device or a library is missing
     * @throws GpuException if the creation exceeds the limit, for example because a peer is missing
     * @throws dev.resiliency.store.StoreTimeoutException if the id is not published within the limit
     */
    static NcclCommunicator bootstrap(
            CallWrapper call, int device, String name, Duration limit, Duration operationLimit)
            throws InterruptedException {
        return IterationCommunicator.bootstrap(call, device, name, limit, operationLimit);
    }

    /** Returns this rank's position in the communicator. */
    int rank();

    /** Returns the number of ranks in the communicator. */
    int worldSize();

    /** Returns the device that does its work. */
    int device();

    /** Returns the {@code ncclComm_t}, for other libraries, which must not free it. */
    long address();

    /** Returns NCCL's code for the work in the background: 0 without an error, 7 while it is in progress. */
    int asyncError();

    /** Reduces the buffers of all ranks, for all of them; both buffers have the same size, and may be the same. */
    void allReduce(DeviceBuffer from, DeviceBuffer to, Reduction reduction, CudaStream stream)
            throws InterruptedException;

    /** Copies the buffer of rank {@code root} to all ranks; both buffers have the same size, and may be the same. */
    void broadcast(DeviceBuffer from, DeviceBuffer to, int root, CudaStream stream) throws InterruptedException;

    /** Concatenates the buffers of all ranks, for all of them; {@code to} has room for as many. */
    void allGather(DeviceBuffer from, DeviceBuffer to, CudaStream stream) throws InterruptedException;

    /** Reduces the buffers of all ranks and gives each rank its part; {@code from} has one part for each rank. */
    void reduceScatter(DeviceBuffer from, DeviceBuffer to, Reduction reduction, CudaStream stream)
            throws InterruptedException;

    /** Sends a buffer to one rank, which receives one of the same size. */
    void send(DeviceBuffer from, int peer, CudaStream stream) throws InterruptedException;

    /** Receives a buffer from one rank, which sends one of the same size. */
    void receive(DeviceBuffer to, int peer, CudaStream stream) throws InterruptedException;

    /**
     * Waits in native code until the work of a stream is done, so that the watchdog notices a hang.
     *
     * @throws NcclAbortedException if the wait ended because the communicator was aborted: the data must not be used
     * @throws GpuCallException if the work has failed
     */
    void synchronize(CudaStream stream) throws InterruptedException;

    /**
     * Creates a communicator of the ranks that pass the same colour; all ranks call this.
     *
     * @param colour at least 0
     * @param key orders the ranks in the new communicator; equal keys keep the order of this one
     * @throws IllegalArgumentException if the colour is negative
     */
    NcclCommunicator split(int colour, int key) throws InterruptedException;

    /**
     * Creates a communicator without these ranks, which need not be alive: only the others call this. It ends the waits of
     * this communicator, which can then only be closed.
     *
     * @throws GpuCallException if this communicator already has an error
     * @throws GpuUnavailableException if NCCL is older than 2.27
     */
    NcclCommunicator shrink(Set<Integer> excludedRanks) throws InterruptedException;

    /**
     * Ends the communicator together with its peers, which all call this, once their work is done.
     *
     * @throws GpuException if a peer does not call it within the limit of an operation
     */
    void finish() throws InterruptedException;

    /**
     * Aborts the communicator, and those split from it, unless it was finished or aborted.
     *
     * @throws GpuException if the abort is stuck or has failed
     */
    @Override
    void close();

    /**
     * An operation that combines the elements of several ranks into one.
     *
     * @since 0.1.0
     */
    enum Reduction {
        /** The sum. */
        SUM(0),
        /** The product. */
        PRODUCT(1),
        /** The largest element. */
        MAXIMUM(2),
        /** The smallest element. */
        MINIMUM(3),
        /** The mean. */
        AVERAGE(4);

        private final int code;

        Reduction(int code) {
            this.code = code;
        }

        /** Returns NCCL's number for it, an {@code ncclRedOp_t}. */
        public int code() {
            return code;
        }
    }
}
