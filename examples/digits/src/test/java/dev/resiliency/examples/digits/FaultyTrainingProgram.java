package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.state.RecoveryReport;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The program of one rank in {@link FaultyTrainingIT}: the digits training, always on the same number of ranks. Arguments:
 * the port of the store, the number of active ranks, the number of steps, the checkpoint.
 */
final class FaultyTrainingProgram {
    private static final int REPORT_INTERVAL = 5;

    private FaultyTrainingProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        int active = Integer.parseInt(arguments[1]);
        TrainingPlan plan = new TrainingPlan(Integer.parseInt(arguments[2]), 256, 64, 0.02f, 0.9f, 100, 1_000_000, 42);
        TrainingObserver reporter = new TrainingObserver() {
            @Override
            public void recovered(RecoveryReport report) {
                System.out.println("RECOVERED from " + report.source() + ", " + report.stepsLost() + " lost");
            }

            @Override
            public void completed(int step) {
                if (step % REPORT_INTERVAL == 0) {
                    System.out.println("STEP " + step);
                }
            }
        };
        Wrapper wrapper = Wrapper.builder()
                .softTimeout(Duration.ofSeconds(30))
                .hardTimeout(Duration.ofSeconds(40))
                .rankAssignment(new Tree(Layer.root().maxRanks(active).flags(Layer.Flag.RESERVE)))
                .elasticity(Elasticity.defaults().minRanks(active).joinWait(Duration.ZERO))
                .store(StoreFactory.external("127.0.0.1", port, Duration.ofSeconds(30)))
                .build();
        wrapper.call(new DigitsTraining(plan, Digits.load(), new CheckpointFile(Path.of(arguments[3])), reporter));
        System.out.println("FINISHED");
    }
}
