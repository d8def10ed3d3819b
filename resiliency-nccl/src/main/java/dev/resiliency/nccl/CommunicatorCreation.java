package dev.resiliency.nccl;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.internal.NativeCall;
import dev.resiliency.nccl.internal.Nccl;
import dev.resiliency.store.Value;
import java.util.function.Supplier;

/**
 * How communicators come about. NCCL may hang in each step, so each runs in a thread of its own, with a limit; what comes
 * too late is freed.
 */
final class CommunicatorCreation {
    private final CommunicatorFamily family;
    private final Nccl nccl;
    private final BackgroundWork work;

    CommunicatorCreation(CommunicatorFamily family, BackgroundWork work) {
        this.family = family;
        this.nccl = family.nccl();
        this.work = work;
    }

    /** The communicator of all active ranks, which meet by an id that active rank 0 publishes under this name. */
    Communicator world(CallWrapper call, String name) throws InterruptedException {
        int rank = call.state().activeRank();
        int worldSize = call.state().activeWorldSize();
        byte[] id = agreeOnId(call, name);
        Supplier<Long> body = () -> {
            nccl.cuda().setDevice(family.device());
            return nccl.create(id, rank, worldSize);
        };
        String what = "creation of " + family.name();
        long address = NativeCall.start(what, body, nccl::abort).await(work.limit());
        Communicator world = family.add(address, family.name());
        work.awaitReady(world, what);
        return world;
    }

    private byte[] agreeOnId(CallWrapper call, String name) throws InterruptedException {
        String key = "nccl/" + name;
        if (call.state().activeRank() == 0) {
            byte[] id = NativeCall.start("id of NCCL communicator " + name, nccl::uniqueId, unused -> {})
                    .await(work.limit());
            call.store().set(key, Value.of(id));
            return id;
        }
        return call.store().get(key, work.limit()).bytes();
    }

    /** A communicator that is made from another one, of the same family. */
    Communicator child(Communicator parent, String name, Communicator.Call<Nccl.Child> make)
            throws InterruptedException {
        String what = "creation of " + name;
        int errorBefore = work.asyncError(parent);
        Supplier<Nccl.Child> body = () -> {
            nccl.cuda().setDevice(family.device());
            return parent.use(make);
        };
        Nccl.Child child = NativeCall.start(what, body, Nccl.Child::abandon).await(work.limit());
        boolean made = false;
        try {
            awaitAddress(child, parent, errorBefore, what);
            made = true;
        } finally {
            if (!made) {
                child.abandon(); // an abort of the parent ends it
            }
        }
        Communicator member = family.add(child.address(), name);
        work.awaitReady(member, what);
        return member;
    }

    /** NCCL writes the address in the background. The parent of a shrink may have had an error before. */
    private void awaitAddress(Nccl.Child child, Communicator parent, int errorBefore, String what)
            throws InterruptedException {
        work.awaitUntil(what, () -> {
            int error = work.asyncError(parent);
            if (error != Nccl.IN_PROGRESS && child.address() != 0) {
                return true;
            }
            if (error != Nccl.IN_PROGRESS && error != Nccl.SUCCESS && error != errorBefore) {
                throw work.failure(parent, what, error);
            }
            return false;
        });
    }
}
