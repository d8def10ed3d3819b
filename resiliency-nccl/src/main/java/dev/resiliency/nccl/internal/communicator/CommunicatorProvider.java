package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.inprocess.Abort;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.AbortNccl;
import dev.resiliency.nccl.NcclCommunicator;
import java.time.Duration;

/** Implements the part of the API that creates and aborts communicators. */
public final class CommunicatorProvider implements NcclCommunicator.Provider {

    @Override
    public NcclCommunicator bootstrap(
            CallWrapper call, int device, String name, Duration limit, Duration operationLimit)
            throws InterruptedException {
        return IterationCommunicator.bootstrap(call, device, name, limit, operationLimit);
    }

    @Override
    public Abort abort(Duration limit) {
        return state -> Aborts.abort(Communicators.of(state.initialRank()), limit);
    }

    @Override
    public AbortNccl.Registration register(CallWrapper call, long communicator, int device, String name) {
        return RegisteredCommunicator.register(call, communicator, device, name);
    }
}
