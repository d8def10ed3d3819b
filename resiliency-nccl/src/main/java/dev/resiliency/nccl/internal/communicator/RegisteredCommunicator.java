package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.AbortNccl;
import dev.resiliency.nccl.internal.natives.Bindings;

/** A communicator of another library, in a family of its own. */
public final class RegisteredCommunicator implements AbortNccl.Registration {
    private final CommunicatorFamily family;
    private final Communicator member;

    private RegisteredCommunicator(CommunicatorFamily family, Communicator member) {
        this.family = family;
        this.member = member;
    }

    public static RegisteredCommunicator register(CallWrapper call, long communicator, int device, String name) {
        CommunicatorFamily family =
                new CommunicatorFamily(Bindings.nccl(), device, call.state().initialRank(), name);
        Communicator member = family.add(communicator, name);
        Communicators.add(family);
        call.onAbort(() -> Aborts.abort(family));
        return new RegisteredCommunicator(family, member);
    }

    @Override
    public boolean isAborted() {
        return member.isAborted();
    }

    @Override
    public void close() {
        // Guards against the race with an abort that has taken the member but not reached it yet: it skips the member.
        member.release();
        family.remove(member);
        Communicators.remove(family);
    }
}
