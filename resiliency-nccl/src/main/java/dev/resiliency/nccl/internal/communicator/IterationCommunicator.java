package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.NcclCommunicator;
import dev.resiliency.nccl.NcclCommunicator.Reduction;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.NativeCall;
import dev.resiliency.nccl.internal.natives.Nccl;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongConsumer;

/** A communicator that this module has created, and that ends with its iteration. */
public final class IterationCommunicator implements NcclCommunicator {
    private final CommunicatorFamily family;
    private final Communicator communicator;
    private final BackgroundWork work;
    private final Nccl nccl;
    private final int rank;
    private final int worldSize;

    private IterationCommunicator(CommunicatorFamily family, Communicator communicator, BackgroundWork work) {
        this.family = family;
        this.communicator = communicator;
        this.work = work;
        nccl = family.nccl();
        rank = communicator.use(nccl::rank);
        worldSize = communicator.use(nccl::worldSize);
    }

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
        call.onAbort(() -> Aborts.abort(family));

        boolean ready = false;
        try {
            Communicator world = new CommunicatorCreation(family, work).world(call, name);
            IterationCommunicator created = new IterationCommunicator(family, world, work);
            ready = true;
            return created;
        } finally {
            if (!ready) { // NCCL may have created a part of it
                family.startAbort();
                Communicators.remove(family);
            }
        }
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int worldSize() {
        return worldSize;
    }

    @Override
    public int device() {
        return family.device();
    }

    @Override
    public long address() {
        return communicator.use(address -> address);
    }

    @Override
    public int asyncError() {
        return work.asyncError(communicator);
    }

    @Override
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

    @Override
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

    @Override
    public void allGather(DeviceBuffer from, DeviceBuffer to, CudaStream stream) throws InterruptedException {
        require(from, to, from.count() * worldSize, to.count());
        begin(
                "all-gather",
                address -> nccl.allGather(
                        from.address(), to.address(), from.count(), from.type().code(), address, stream.address()));
    }

    @Override
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

    @Override
    public void send(DeviceBuffer from, int peer, CudaStream stream) throws InterruptedException {
        requireRank(peer);
        begin(
                "send",
                address ->
                        nccl.send(from.address(), from.count(), from.type().code(), peer, address, stream.address()));
    }

    @Override
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
            throw new IllegalArgumentException(
                    "there is no rank " + peer + " in " + communicator + ": it has " + worldSize + " ranks");
        }
    }

    @Override
    public void synchronize(CudaStream stream) throws InterruptedException {
        stream.synchronize();
        work.awaitOperation(communicator, "work of " + communicator);
    }

    @Override
    public NcclCommunicator split(int colour, int key) throws InterruptedException {
        if (colour < 0) {
            throw new IllegalArgumentException("the colour is " + colour + ": it must be at least 0");
        }
        return child("split " + colour + " of " + communicator, address -> nccl.split(address, colour, key));
    }

    @Override
    public NcclCommunicator shrink(Set<Integer> excludedRanks) throws InterruptedException {
        excludedRanks.forEach(this::requireRank);
        int[] excluded =
                excludedRanks.stream().mapToInt(Integer::intValue).sorted().toArray();
        return child("rest of " + communicator, address -> nccl.shrink(address, excluded));
    }

    private NcclCommunicator child(String name, Communicator.Call<Nccl.Child> make) throws InterruptedException {
        Communicator child = new CommunicatorCreation(family, work).child(communicator, name, make);
        return new IterationCommunicator(family, child, work);
    }

    @Override
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

    @Override
    public void close() {
        if (communicator.isOpen()) {
            try {
                Aborts.abort(family);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the abort continues
            }
        }
    }

    @Override
    public String toString() {
        return communicator.toString();
    }
}
