package dev.resiliency.examples.pytorch;

import dev.resiliency.examples.demo.RankCommand;
import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.pytorch.TorchLibrary;
import org.bytedeco.pytorch.global.torch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pytorch-rank}: the process of one rank, started by {@link TorchCommand}. */
@Command(name = "pytorch-rank")
public final class TorchRankCommand extends RankCommand {
    @Option(names = "--no-reducer")
    private boolean noReducer;

    /** For picocli. */
    public TorchRankCommand() {}

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new TorchRankCommand(), arguments);
    }

    @Override
    protected RestartableFunction<Double> training(
            TrainingPlan plan, Digits.Split digits, CheckpointFile checkpoint, TrainingObserver observer) {
        TorchLibrary.load(); // before the wrapper, which would take it for a hang on a busy machine
        torch.set_num_threads(1); // there are more ranks than cores
        return new TorchTraining(plan, digits, checkpoint, observer, !noReducer);
    }
}
