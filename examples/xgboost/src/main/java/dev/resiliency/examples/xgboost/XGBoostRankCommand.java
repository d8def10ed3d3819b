package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.demo.RankCommand;
import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.xgboost.XGBoostLibrary;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xgboost-rank}: the process of one rank, started by {@link XGBoostCommand}. */
@Command(name = "xgboost-rank")
public final class XGBoostRankCommand extends RankCommand {
    @Option(names = "--model", required = true)
    private Path model = Path.of("");

    /** For picocli. */
    public XGBoostRankCommand() {}

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new XGBoostRankCommand(), arguments);
    }

    @Override
    protected RestartableFunction<Double> training(
            TrainingPlan plan, Digits.Split digits, CheckpointFile unused, TrainingObserver observer) {
        XGBoostLibrary.load(); // before the wrapper, which would take it for a hang on a busy machine
        return new BoostedTraining(plan, digits, new ModelFile(model), observer);
    }
}
