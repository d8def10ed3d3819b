package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.digits.DigitsTraining;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartableFunction;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The digits training, which runs until the order to finish. */
final class ChaosTraining implements RestartableFunction<Double> {
    private final DigitsTraining training;
    private final Orders orders;
    private final boolean patient;

    /** A patient one waits for the restart when its neighbours are gone, as an NCCL collective does. */
    ChaosTraining(DigitsTraining training, Orders orders, boolean patient) {
        this.training = training;
        this.orders = orders;
        this.patient = patient;
    }

    @Override
    public @Nullable Double call(CallWrapper call) throws Exception {
        if (orders.isFinished(call.iteration())) {
            return null;
        }
        try {
            return training.call(call);
        } catch (ChaosRank.FinishedException finished) {
            return null;
        } catch (IOException e) {
            if (patient) {
                awaitRestart(call);
            }
            throw e;
        }
    }

    /** If none comes, the job is reported as stuck. */
    private static void awaitRestart(CallWrapper call) throws InterruptedException {
        while (true) {
            call.ping();
            Thread.sleep(1);
        }
    }
}
