package dev.resiliency.state.internal;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.state.LiveState;

/** Finds the state that the process keeps. */
public final class StateFactory implements LiveState.Factory {
    @Override
    public LiveState of(CallWrapper call) {
        if (call.state().worldSize() > 1) {
            TransferRehearsal.begin(); // while the function asks for its buffers
        }
        return call.keep(Replica.class, Replica::new).stateFor(call);
    }
}
