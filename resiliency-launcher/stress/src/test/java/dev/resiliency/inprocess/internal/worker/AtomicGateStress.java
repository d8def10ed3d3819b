package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Waker;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The function, which enters an atomic section, and the restart, which shuts the gate. */
@JCStressTest
@State
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The restart sees the section.")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The section does not begin.")
public class AtomicGateStress {
    private final AtomicGate gate =
            new AtomicGate(new RestartSignals(0), new Waker(), () -> CompletableFuture.completedFuture(true));

    @Actor
    @SuppressWarnings("resource") // it stays open
    public void function(ZZ_Result result) {
        try {
            gate.enter();
            result.r1 = true;
        } catch (RestartSignal refused) {
            result.r1 = false;
        }
    }

    @Actor
    public void restart(ZZ_Result result) {
        gate.shut();
        result.r2 = gate.owner() != null;
    }
}
