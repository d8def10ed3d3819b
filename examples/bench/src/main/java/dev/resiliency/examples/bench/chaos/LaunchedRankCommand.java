package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.StagedStore;
import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.DigitsTraining;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code launched-rank}: the process of a rank under an agent. Prints its process id and an event in each line, and obeys orders
 * from its file.
 */
@Command(name = "launched-rank")
public final class LaunchedRankCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(LaunchedRankCommand.class);
    private static final Duration STORE_LIMIT = Duration.ofSeconds(60);
    /** More steps than any job reaches; an order ends it earlier. */
    private static final int WITHOUT_END = 10_000_000;

    @Option(names = "--directory", required = true)
    private Path directory = Path.of("");

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new LaunchedRankCommand(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        LineWriter out = new LineWriter(System.out);
        System.setOut(System.err); // standard output is for events alone
        long pid = ProcessHandle.current().pid();
        Consumer<ChaosEvent> tell = event -> out.write(() -> pid + " " + event.toLine());
        Orders orders = new Orders();
        OrderFiles.follow(directory, orders);
        ChaosRank rank = new ChaosRank(orders, tell, out::flush);
        DigitsTraining training =
                new DigitsTraining(plan(), Digits.load(), new CheckpointFile(directory.resolve("checkpoint")), rank);
        try {
            settings(rank, tell).build().call(new ChaosTraining(training, orders, false));
            tell.accept(new ChaosEvent.Completed(System.nanoTime()));
            return 0;
        } catch (InterruptedException | RuntimeException | Error e) {
            LOG.error("this rank left the job", e);
            tell.accept(new ChaosEvent.Left(
                    e.getClass().getSimpleName(), String.valueOf(e.getMessage()), System.nanoTime()));
            return 1;
        } finally {
            out.finish();
        }
    }

    private static TrainingPlan plan() {
        return new TrainingPlan(WITHOUT_END, 64, 32, 0.01f, 0.9f, 10, WITHOUT_END, 42);
    }

    /** Limits that detect a hang within some seconds, while other JVMs start on the same processors. */
    private static Wrapper.Builder settings(ChaosRank rank, Consumer<ChaosEvent> tell) {
        Environment environment = Environment.fromVariables();
        StoreFactory store = StoreFactory.external(environment.masterAddress(), environment.masterPort(), STORE_LIMIT);
        return Wrapper.builder()
                .store(StagedStore.over(store, stage -> tell.accept(new ChaosEvent.Reached(stage, System.nanoTime()))))
                .listener(rank)
                .progressWatchdogInterval(Duration.ofMillis(100))
                .monitorProcessInterval(Duration.ofMillis(100))
                .heartbeatInterval(Duration.ofSeconds(1))
                .heartbeatTimeout(Duration.ofSeconds(12))
                .softTimeout(Duration.ofSeconds(5))
                .hardTimeout(Duration.ofSeconds(10))
                .terminationGraceTime(Duration.ofSeconds(1))
                .asyncStopDelay(Duration.ofSeconds(1))
                .barrierTimeout(Duration.ofSeconds(120))
                .completionTimeout(Duration.ofSeconds(60));
    }
}
