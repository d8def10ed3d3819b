package dev.resiliency.examples.spark;

import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.spark.ResilientStage;
import dev.resiliency.spark.cluster.SparkCluster;
import dev.resiliency.xgboost.XGBoostLibrary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code spark.sh}: a training in a stage of Spark that loses an executor. */
@Command(
        name = "spark",
        sortOptions = false,
        descriptionHeading = "%n",
        description = {
            "Boosts trees on handwritten digits with XGBoost4J, on three executors of a standalone cluster of Spark, which it"
                    + " starts on this machine. Half-way, one executor is killed with SIGKILL. The other ranks go on with"
                    + " what they have in memory.",
            ""
        })
public final class SparkCommand implements Callable<Integer> {
    private static final int RANKS = 3;
    private static final Map<String, Object> PARAMS = Map.of(
            "objective",
            "multi:softprob",
            "num_class",
            Digits.CLASSES,
            "base_score",
            0.5,
            "max_depth",
            3,
            "nthread",
            1);

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of boosting; ${DEFAULT-VALUE} by default.")
    private int rounds = 200;

    @Option(names = "--no-kill", description = "Kill no executor.")
    private boolean noKill;

    @Option(
            names = "--barrier",
            description =
                    "Compare with the same training in a barrier stage. That may wait for ever for the rank that it has lost.")
    private boolean comparesWithBarrier;

    @Mixin
    private JsonOption json = new JsonOption();

    /** For picocli. */
    public SparkCommand() {}

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new SparkCommand(), arguments);
    }

    @Override
    @SuppressWarnings("SystemOut") // a program
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        json.check();
        try (WorkDirectory directory = new WorkDirectory("resiliency-spark-");
                SparkCluster cluster = SparkCluster.start(directory.path(), RANKS);
                JavaSparkContext context = new JavaSparkContext(cluster.conf("digits", RANKS))) {
            JavaRDD<DigitRow> rows = context.parallelize(DigitRow.load(), RANKS);
            Rounds resilient = new Rounds(directory.path().resolve("resilient").toString());
            int killAfter = noKill ? 0 : rounds / 2;
            List<Outcome> outcomes = new ArrayList<>();
            outcomes.add(new Measured("resilient", resilient)
                    .run(
                            () -> ResilientStage.of(context)
                                    .settings(builder -> XGBoostLibrary.load())
                                    .run(rows, new ResilientBoosting(rounds, PARAMS, resilient)),
                            killAfter));
            if (comparesWithBarrier) {
                Rounds barrier = new Rounds(directory.path().resolve("barrier").toString());
                outcomes.add(new Measured("barrier", barrier)
                        .run(() -> BarrierBoosting.run(rows, new BarrierBoosting(rounds, PARAMS, barrier)), killAfter));
            }
            System.out.printf(
                    "%-10s %10s %18s %14s %16s %10s%n",
                    "stage", "seconds", "kill to training", "kill to end", "rounds repeated", "executors");
            for (Outcome outcome : outcomes) {
                System.out.printf(
                        "%-10s %10.1f %18.2f %14.1f %16d %10d%n",
                        outcome.stage(),
                        outcome.seconds(),
                        outcome.secondsToTraining(),
                        outcome.secondsFromKill(),
                        outcome.roundsRepeated(),
                        outcome.processes());
            }
            json.write(Map.of("rounds", rounds, "killAfter", killAfter, "stages", outcomes));
        }
        return 0;
    }
}
