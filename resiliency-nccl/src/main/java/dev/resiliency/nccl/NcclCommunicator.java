package dev.resiliency.nccl;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.internal.Bindings;
import dev.resiliency.nccl.internal.NativeCall;
import dev.resiliency.nccl.internal.Nccl;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * An NCCL communicator of one iteration, which ends with it: a restart aborts it, from another thread, so that whatever
 * waits for its work returns.
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
 * <p>All ranks of a communicator call its operations in the same order. An operation begins work of a stream, for which
 * {@link #synchronize} waits. Before that NCCL connects to the peers, so the first operation waits until they call it too.
 * A restart ends all these waits. To be used by one thread at a time.
 */
public final class NcclCommunicator implements AutoCloseable {
    /** How long the creation of a communicator may take. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);
    /** How long an operation may wait for its peers, which may be at something else for long. */
    public static final Duration DEFAULT_OPERATION_LIMIT = Duration.ofMinutes(10);

    private final CommunicatorFamily family;
    private final Communicator communicator;
    private final BackgroundWork work;
    private final Nccl nccl;
    private final int rank;
    private final int worldSize;

    private NcclCommunicator(CommunicatorFamily family, Communicator communicator, BackgroundWork work) {
        this.family = family;
        this.communicator = communicator;
        this.work = work;
        nccl = family.nccl();
        rank = communicator.use(nccl::rank);
        worldSize = communicator.use(nccl::worldSize);
    }

    /** Makes the communicator of all active ranks, named {@code world}, within {@link #DEFAULT_LIMIT}. */
    public static NcclCommunicator bootstrap(CallWrapper call, int device) throws InterruptedException {
        return bootstrap(call, device, "world", DEFAULT_LIMIT);
    }

    /** Makes a communicator of all active ranks whose operations have {@link #DEFAULT_OPERATION_LIMIT}. */
    public static NcclCommunicator bootstrap(CallWrapper call, int device, String name, Duration limit)
            throws InterruptedException {
        return bootstrap(call, device, name, limit, DEFAULT_OPERATION_LIMIT);
    }

    /**
     * Makes a communicator of all active ranks of this iteration, which all must call this. Active rank 0 publishes its
     * id under the iteration's prefix of the store. It is aborted with the iteration from the first moment on.
     *
     * @param device the device of this rank
     * @param name names it in messages and in the store: one that no other communicator of this iteration has
     * @param limit how long it may take, and later the making of a communicator from it
     * @param operationLimit how long an operation may wait for its peers, and so may {@link #finish}
     * @throws GpuUnavailableException if a library or the device is missing
     * @throws GpuTimeoutException if it takes longer, because a peer is missing for example
     * @throws dev.resiliency.store.StoreTimeoutException if the id is not published within the limit
     */
    public static NcclCommunicator bootstrap(
            CallWrapper call, int device, String name, Duration limit, Duration operationLimit)
            throws InterruptedException {
        Nccl nccl = Bindings.nccl();
        nccl.cuda().setDevice(device);
        State state = call.state();
        String text = "NCCL communicator " + name + " of rank " + state.activeRank() + "/" + state.activeWorldSize();
        CommunicatorFamily family = new CommunicatorFamily(nccl, device, state.initialRank(), text);
        BackgroundWork work = new BackgroundWork(call, nccl, device, limit, operationLimit);
        Communicators.add(family);
        call.onAbort(() -> AbortNccl.abort(family));

        boolean ready = false;
        try {
            Communicator world = new CommunicatorCreation(family, work).world(call, name);
            NcclCommunicator made = new NcclCommunicator(family, world, work);
            ready = true;
            return made;
        } finally {
            if (!ready) { // what has not come about must not stay behind
                family.startAbort();
                Communicators.remove(family);
            }
        }
    }

    /** This rank's position in the communicator. */
    public int rank() {
        return rank;
    }

    /** How many ranks the communicator has. */
    public int worldSize() {
        return worldSize;
    }

    /** The device that it works on. */
    public int device() {
        return family.device();
    }

    /** The {@code ncclComm_t}, for other libraries, which must not free it. */
    public long address() {
        return communicator.use(address -> address);
    }

    /** NCCL's number for what has gone wrong in the background: 0 nothing, 7 still in progress. */
    public int asyncError() {
        return work.asyncError(communicator);
    }

    /** Reduces over all ranks, for all; both buffers have the same size, and may be the same. */
    public void allReduce(DeviceBuffer from, DeviceBuffer to, Reduction reduction, CudaStream stream)
            throws InterruptedException {
        require(from, to, from.count(), to.count());
        begin(
                "all-reduce",
                address -> nccl.allReduce(
                        from.address(),
                        to.address(),
                        from.count(),
                        from.type().code(),
                        reduction.code(),
                        address,
                        stream.address()));
    }

    /** Copies the buffer of one rank to all; both buffers have the same size, and may be the same. */
    public void broadcast(DeviceBuffer from, DeviceBuffer to, int root, CudaStream stream) throws InterruptedException {
        require(from, to, from.count(), to.count());
        requireRank(root);
        begin(
                "broadcast",
                address -> nccl.broadcast(
                        from.address(),
                        to.address(),
                        from.count(),
                        from.type().code(),
                        root,
                        address,
                        stream.address()));
    }

    /** Puts the buffers of all ranks behind each other, for all; {@code to} has room for as many. */
    public void allGather(DeviceBuffer from, DeviceBuffer to, CudaStream stream) throws InterruptedException {
        require(from, to, from.count() * worldSize, to.count());
        begin(
                "all-gather",
                address -> nccl.allGather(
                        from.address(), to.address(), from.count(), from.type().code(), address, stream.address()));
    }

    /** Reduces over all ranks; each gets the part of its rank. {@code from} has as many parts as there are ranks. */
    public void reduceScatter(DeviceBuffer from, DeviceBuffer to, Reduction reduction, CudaStream stream)
            throws InterruptedException {
        require(from, to, from.count(), to.count() * worldSize);
        begin(
                "reduce-scatter",
                address -> nccl.reduceScatter(
                        from.address(),
                        to.address(),
                        to.count(),
                        from.type().code(),
                        reduction.code(),
                        address,
                        stream.address()));
    }

    /** Sends a buffer to one rank, which receives one of the same size. */
    public void send(DeviceBuffer from, int peer, CudaStream stream) throws InterruptedException {
        requireRank(peer);
        begin(
                "send",
                address ->
                        nccl.send(from.address(), from.count(), from.type().code(), peer, address, stream.address()));
    }

    /** Receives a buffer from one rank, which sends one of the same size. */
    public void receive(DeviceBuffer to, int peer, CudaStream stream) throws InterruptedException {
        requireRank(peer);
        begin(
                "receive",
                address -> nccl.receive(to.address(), to.count(), to.type().code(), peer, address, stream.address()));
    }

    private void begin(String what, LongConsumer operation) throws InterruptedException {
        communicator.begin(operation);
        work.awaitOperation(communicator, what + " of " + communicator);
    }

    private static void require(DeviceBuffer from, DeviceBuffer to, long expected, long actual) {
        if (from.type() != to.type() || expected != actual) {
            throw new IllegalArgumentException(from + " and " + to + " do not match");
        }
    }

    private void requireRank(int peer) {
        if (peer < 0 || peer >= worldSize) {
            throw new IllegalArgumentException("there is no rank " + peer + " in " + communicator);
        }
    }

    /**
     * Waits in native code until the work of a stream is done, so that a hang shows to the watchdog.
     *
     * @throws NcclAbortedException if it has ended because the communicator was aborted: the data is not to be used
     * @throws GpuCallException if the work has failed
     */
    public void synchronize(CudaStream stream) throws InterruptedException {
        stream.synchronize();
        work.awaitOperation(communicator, "work of " + communicator);
    }

    /**
     * Makes a communicator of those ranks that give the same colour; all ranks call this.
     *
     * @param colour at least 0
     * @param key the order of the ranks in the new communicator; among equal keys that of the old one
     */
    public NcclCommunicator split(int colour, int key) throws InterruptedException {
        if (colour < 0) {
            throw new IllegalArgumentException("the colour is " + colour + ": it must be at least 0");
        }
        return child("split " + colour + " of " + communicator, address -> nccl.split(address, colour, key));
    }

    /**
     * Makes a communicator without these ranks, which need not be alive: only the others call this. What this one waits
     * for ends; it can then only be closed.
     *
     * @throws GpuCallException if this one has an error already, which NCCL then returns
     * @throws GpuUnavailableException if NCCL is older than 2.27
     */
    public NcclCommunicator shrink(Set<Integer> excludedRanks) throws InterruptedException {
        excludedRanks.forEach(this::requireRank);
        int[] excluded =
                excludedRanks.stream().mapToInt(Integer::intValue).sorted().toArray();
        return child("rest of " + communicator, address -> nccl.shrink(address, excluded));
    }

    private NcclCommunicator child(String name, Communicator.Call<Nccl.Child> make) throws InterruptedException {
        Communicator child = new CommunicatorCreation(family, work).child(communicator, name, make);
        return new NcclCommunicator(family, child, work);
    }

    /**
     * Ends the communicator in agreement with its peers, which all call this: their work is done, and none is cut off.
     *
     * @throws GpuTimeoutException if a peer does not come within the limit of an operation
     */
    public void finish() throws InterruptedException {
        communicator.begin(nccl::finish);
        work.awaitOperation(communicator, "end of " + communicator);
        NativeCall.run("end of " + communicator, work.limit(), () -> {
            nccl.cuda().setDevice(family.device());
            communicator.destroy();
        });
        leave();
    }

    private void leave() {
        family.remove(communicator);
        if (family.isEmpty()) {
            Communicators.remove(family);
        }
    }

    /**
     * Does nothing if it was finished or aborted. Otherwise something has gone wrong: it is aborted, with those that
     * were split from it.
     *
     * @throws GpuException if the abort is stuck or has failed
     */
    @Override
    public void close() {
        if (communicator.isOpen()) {
            try {
                AbortNccl.abort(family);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the abort goes on
            }
        }
    }

    /** Its name and rank. */
    @Override
    public String toString() {
        return communicator.toString();
    }
}
