package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import java.io.IOException;

/** Restores a checkpoint on all ranks, and verifies that each has restored the step of active rank 0. */
public final class AgreedCheckpoint {
    private AgreedCheckpoint() {}

    /**
     * Restores the arrays and returns their step, 0 without a checkpoint. Ends the job if it is corrupt, or if another rank
     * has restored another step.
     */
    public static int restore(CallWrapper call, CheckpointFile checkpoint, float[]... arrays)
            throws IOException, InterruptedException {
        int step = checkpoint.restore(arrays);
        Store store = call.store();
        if (call.state().activeRank() == 0) {
            store.set("restored", Value.of(step));
        }
        long agreed = store.get("restored").number();
        if (step != agreed) {
            throw new RestartAbort("rank " + call.state().activeRank() + " has restored step " + step
                    + ", but rank 0 step " + agreed + ": the checkpoint must be in a directory that all ranks share");
        }
        return step;
    }
}
