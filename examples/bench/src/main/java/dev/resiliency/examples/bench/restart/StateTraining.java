package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.digits.MeasurableDigitsTraining;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.state.LiveState;
import dev.resiliency.state.RecoveryReport;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The training with the digits, and live state beside it: so many megabytes that each step changes. */
final class StateTraining implements MeasurableTraining {
    /** Precedes the number of megabytes in the name. */
    static final String PREFIX = "state-";

    private final MeasurableTraining digits = new MeasurableDigitsTraining();
    private final int megabytes;

    StateTraining(int megabytes) throws IOException {
        this.megabytes = megabytes;
    }

    @Override
    public String name() {
        return PREFIX + megabytes;
    }

    @Override
    public void load() throws Exception {
        digits.load();
    }

    /** Recovers the step, without a checkpoint. Whoever waits for other ranks does not hang itself. */
    @SuppressWarnings("try") // the pause is only closed
    private static long recover(CallWrapper call, LiveState state) throws InterruptedException {
        try (HangProtectionPause pause = call.disableHangProtection()) {
            return state.recover(() -> 0);
        }
    }

    /** An iteration that began with a recovery. */
    interface Recovered extends Iteration {
        RecoveryReport recovery();
    }

    @Override
    public Iteration begin(CallWrapper call) throws Exception {
        LiveState state = LiveState.of(call);
        ByteBuffer memory = state.memory("state", () -> ByteBuffer.allocateDirect(megabytes << 20));
        long from = recover(call, state);
        RecoveryReport recovery = state.recovery();
        Iteration steps = digits.begin(call);
        return new Recovered() {
            @Override
            public RecoveryReport recovery() {
                return recovery;
            }

            @Override
            public boolean step(int step, boolean wantsEnd) throws Exception {
                boolean isEnd = steps.step(step, wantsEnd);
                state.commit(from + step, () -> memory.putLong(0, from + step));
                return isEnd;
            }

            @Override
            public void close() throws IOException {
                steps.close();
            }
        };
    }
}
