package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Waker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The function, which passes a step, and the store's thread, which announces one. */
public class SafePointGateStress {
    @State
    public static class Gate {
        final SafePointGate gate = new SafePointGate(new RestartSignals(0), new Waker());

        public Gate() {
            gate.pass(5);
        }
    }

    @JCStressTest
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "It stops at the step.")
    @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "It had passed the step, which is known.")
    public static class StepThatIsAnnounced {
        @Actor
        public void function(Gate state, ZZZ_Result result) {
            try {
                state.gate.pass(7);
                result.r1 = true;
            } catch (RestartSignal stopped) {
                result.r1 = false;
            }
        }

        @Actor
        public void store(Gate state) {
            state.gate.announce(7);
        }

        @Arbiter
        public void then(Gate state, ZZZ_Result result) {
            result.r2 = state.gate.hasStopped();
            result.r3 = state.gate.hasMissed();
        }
    }

    @JCStressTest
    @Outcome(id = "5", expect = Expect.ACCEPTABLE, desc = "The latest step is known throughout.")
    public static class LatestStep {
        @Actor
        public void store(Gate state) {
            state.gate.announce(7);
        }

        @Actor
        public void watchdog(Gate state, J_Result result) {
            result.r1 = state.gate.latest();
        }
    }
}
