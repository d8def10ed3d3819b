package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.internal.natives.NativeCall;
import dev.resiliency.nccl.internal.natives.Nccl;
import dev.resiliency.store.Value;
import java.util.function.Supplier;

/**
 * Creates communicators. NCCL may hang in each step, so each runs in a thread of its own, with a limit; a communicator that
 * comes too late is freed.
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

    /** Creates the communicator of all active ranks, which meet by an id that active rank 0 publishes under this name. */
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

    /**
     * Creates a communicator from another one, in the same family. If this fails, the abort of the family frees the child
     * that NCCL has created or will create.
     */
    Communicator child(Communicator parent, String name, Communicator.Call<Nccl.Child> make)
            throws InterruptedException {
        String what = "creation of " + name;
        Supplier<Nccl.Child> body = () -> {
            nccl.cuda().setDevice(family.device());
            return parent.use(make);
        };
        Nccl.Child child = NativeCall.start(what, body, family::abandon).await(work.limit());
        boolean created = false;
        try {
            awaitAddress(child, parent, what);
            created = true;
        } finally {
            if (!created) {
                family.abandon(child);
            }
        }
        Communicator member = family.add(child.address(), name);
        work.awaitReady(member, what);
        return member;
    }

    /** NCCL writes the address in the background, even if the creation fails; then the parent reports the error. */
    private void awaitAddress(Nccl.Child child, Communicator parent, String what) throws InterruptedException {
        work.awaitReady(parent, what);
        work.awaitUntil(what, () -> child.address() != 0);
    }
}
