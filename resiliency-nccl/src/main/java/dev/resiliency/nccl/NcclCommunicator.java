package dev.resiliency.nccl;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.internal.Bindings;
import dev.resiliency.nccl.internal.NativeCall;
import dev.resiliency.nccl.internal.Nccl;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

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
 * <p>All ranks of a communicator call its operations in the same order. It is non-blocking: calls only begin an
 * operation, and limits hold for what NCCL does behind. To be used by one thread at a time.
 */
public final class NcclCommunicator implements AutoCloseable {
    /** How long the creation of a communicator, or the beginning of an operation, may take. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

    private final CallWrapper call;
    private final Nccl nccl;
    private final CommunicatorFamily family;
    private final Communicator communicator;
    private final int device;
    private final int rank;
    private final int worldSize;
    private final Duration limit;

    private NcclCommunicator(
            CallWrapper call,
            Nccl nccl,
            CommunicatorFamily family,
            Communicator communicator,
            int device,
            int rank,
            int worldSize,
            Duration limit) {
        this.call = call;
        this.nccl = nccl;
        this.family = family;
        this.communicator = communicator;
        this.device = device;
        this.rank = rank;
        this.worldSize = worldSize;
        this.limit = limit;
    }

    /** Makes the communicator of all active ranks, named {@code world}, within {@link #DEFAULT_LIMIT}. */
    public static NcclCommunicator bootstrap(CallWrapper call, int device) throws InterruptedException {
        return bootstrap(call, device, "world", DEFAULT_LIMIT);
    }

    /**
     * Makes a communicator of all active ranks of this iteration, which all must call this. Active rank 0 publishes its
     * id under the iteration's prefix of the store. It is aborted with the iteration from the first moment on.
     *
     * @param device the device of this rank
     * @param name names it in messages and in the store: one that no other communicator of this iteration has
     * @param limit how long it may take, and later each beginning of an operation
     * @throws GpuUnavailableException if a library or the device is missing
     * @throws GpuTimeoutException if it takes longer, because a peer is missing for example
     * @throws dev.resiliency.store.StoreTimeoutException if the id is not published within the limit
     */
    public static NcclCommunicator bootstrap(CallWrapper call, int device, String name, Duration limit)
            throws InterruptedException {
        Nccl nccl = Bindings.nccl();
        nccl.cuda().setDevice(device);
        int rank = call.state().activeRank();
        int worldSize = call.state().activeWorldSize();
        String text = "NCCL communicator " + name + " of rank " + rank + "/" + worldSize;
        CommunicatorFamily family =
                new CommunicatorFamily(nccl, device, call.state().initialRank(), text);
        Communicators.add(family);
        call.onAbort(() -> AbortNccl.abort(family));

        boolean ready = false;
        try {
            byte[] id = agreeOnId(call, nccl, rank, name, limit);
            long address = NativeCall.start(
                            "creation of " + text, () -> create(nccl, device, id, rank, worldSize), nccl::abort)
                    .await(limit);
            NcclCommunicator made =
                    new NcclCommunicator(call, nccl, family, family.add(address, text), device, rank, worldSize, limit);
            made.awaitReady(made.communicator, "creation of " + text);
            ready = true;
            return made;
        } finally {
            if (!ready) { // what has not come about must not stay behind
                family.startAbort();
                Communicators.remove(family);
            }
        }
    }

    private static long create(Nccl nccl, int device, byte[] id, int rank, int worldSize) {
        nccl.cuda().setDevice(device);
        return nccl.create(id, rank, worldSize);
    }

    private static byte[] agreeOnId(CallWrapper call, Nccl nccl, int rank, String name, Duration limit)
            throws InterruptedException {
        String key = "nccl/" + name;
        if (rank == 0) {
            byte[] id = NativeCall.start("id of NCCL communicator " + name, nccl::uniqueId, unused -> {})
                    .await(limit);
            call.store().set(key, Value.of(id));
            return id;
        }
        return call.store().get(key, limit).bytes();
    }

    /** Waits until NCCL has done in the background what the last call has begun. */
    private void awaitReady(Communicator of, String what) throws InterruptedException {
        awaitUntil(what, () -> {
            int error = asyncError(of);
            if (error != Nccl.SUCCESS && error != Nccl.IN_PROGRESS) {
                throw failure(of, what, error);
            }
            return error == Nccl.SUCCESS;
        });
    }

    private void awaitUntil(String what, BooleanSupplier done) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!done.getAsBoolean()) {
            call.checkRestart();
            if (System.nanoTime() - end >= 0) {
                throw new GpuTimeoutException(what, limit, "NCCL says it is in progress: is a peer missing?");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private int asyncError(Communicator of) {
        return of.use(nccl::asyncError);
    }

    private GpuCallException failure(Communicator of, String what, int error) {
        return new GpuCallException(what, "device " + device, error, of.use(address -> nccl.describe(address, error)));
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
        return device;
    }

    /** The {@code ncclComm_t}, for other libraries, which must not free it. */
    public long address() {
        return communicator.use(address -> address);
    }

    /** NCCL's number for what has gone wrong in the background: 0 nothing, 7 still in progress. */
    public int asyncError() {
        return asyncError(communicator);
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
        awaitReady(communicator, what + " of " + communicator);
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
        awaitReady(communicator, "work of " + communicator);
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
     * @throws GpuUnavailableException if NCCL is older than 2.27
     */
    public NcclCommunicator shrink(Set<Integer> excludedRanks) throws InterruptedException {
        excludedRanks.forEach(this::requireRank);
        int[] excluded =
                excludedRanks.stream().mapToInt(Integer::intValue).sorted().toArray();
        return child("rest of " + communicator, address -> nccl.shrink(address, excluded));
    }

    private NcclCommunicator child(String name, Communicator.Call<Nccl.Child> make) throws InterruptedException {
        int errorBefore = asyncError(communicator);
        Supplier<Nccl.Child> body = () -> {
            nccl.cuda().setDevice(device);
            return communicator.use(make);
        };
        Nccl.Child child = NativeCall.start("creation of " + name, body, Nccl.Child::abandon)
                .await(limit);
        boolean made = false;
        try {
            awaitAddress(child, errorBefore, "creation of " + name);
            made = true;
        } finally {
            if (!made) {
                child.abandon(); // an abort of the parent ends it
            }
        }
        Communicator member = family.add(child.address(), name);
        awaitReady(member, "creation of " + name);
        return new NcclCommunicator(
                call, nccl, family, member, device, member.use(nccl::rank), member.use(nccl::worldSize), limit);
    }

    /** NCCL writes the address in the background. The parent of a shrink may have had an error before. */
    private void awaitAddress(Nccl.Child child, int errorBefore, String what) throws InterruptedException {
        awaitUntil(what, () -> {
            int error = asyncError(communicator);
            if (error != Nccl.IN_PROGRESS && child.address() != 0) {
                return true;
            }
            if (error != Nccl.IN_PROGRESS && error != Nccl.SUCCESS && error != errorBefore) {
                throw failure(communicator, what, error);
            }
            return false;
        });
    }

    /**
     * Ends the communicator in agreement with its peers, which all call this: their work is done, and none is cut off.
     *
     * @throws GpuTimeoutException if a peer does not come within the limit
     */
    public void finish() throws InterruptedException {
        communicator.begin(nccl::finish);
        awaitReady(communicator, "end of " + communicator);
        NativeCall.run("end of " + communicator, limit, () -> {
            nccl.cuda().setDevice(device);
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
