package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Failed;
import dev.resiliency.examples.demo.DemoEvent.Finished;
import dev.resiliency.examples.demo.DemoEvent.Waits;
import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.DigitsTraining;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.examples.job.Parent;
import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.store.spi.SessionStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rank}: the process of one rank, started by the demo. Prints events, and nothing else. */
@Command(name = "rank")
public class RankCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RankCommand.class);
    /** A system property: the faults that have not happened yet, which are others for each process. */
    static final String FAULTS = "demo.faults";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);

    @Option(names = "--steps", required = true)
    private int steps;

    @Option(names = "--active")
    private @Nullable Integer active;

    @Option(names = "--directory", required = true)
    private Path directory = Path.of("");

    @Option(names = "--detect-hangs-soon")
    private boolean detectsHangsSoon;

    /** For picocli, and for the ranks of other trainings. */
    public RankCommand() {}

    /**
     * Returns the function to wrap.
     *
     * @param checkpoint in a directory that all ranks share
     * @param observer receives the progress
     */
    protected RestartableFunction<Double> training(
            TrainingPlan plan, Digits.Split digits, CheckpointFile checkpoint, TrainingObserver observer) {
        return new DigitsTraining(plan, digits, checkpoint, observer);
    }

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new RankCommand(), arguments);
    }

    @Override
    public Integer call() throws InterruptedException {
        LineWriter events = new LineWriter(System.out);
        System.setOut(System.err); // standard output is for events alone
        Parent.obey(line -> {}); // ends with the demo, which says nothing
        int exitCode = run(events);
        events.finish();
        return exitCode;
    }

    private int run(LineWriter events) {
        Environment environment = Environment.fromVariables();
        RankReporter reporter = new RankReporter(environment.rank(), faults(System.getProperty(FAULTS, "")), events);
        try {
            reporter.report(new Finished(train(environment, reporter)));
            return 0;
        } catch (Exception | Error e) {
            LOG.error("this rank left the job", e);
            reporter.report(new Failed(e.toString()));
            return 1;
        }
    }

    /** Reads the system property, which is empty once all faults have happened. */
    static List<TrainingFault> faults(String property) {
        return Stream.of(property.split(",", -1))
                .filter(text -> !text.isEmpty())
                .map(TrainingFault::parse)
                .toList();
    }

    private @Nullable Double train(Environment environment, RankReporter reporter)
            throws IOException, InterruptedException {
        RestartableFunction<Double> training = training(
                TrainingPlan.ofSteps(steps),
                Digits.load(),
                new CheckpointFile(directory.resolve("checkpoint")),
                reporter);
        Wrapper.Builder wrapper = Wrapper.builder().environment(environment).listener(reporter);
        if (System.getenv(StoreFactory.VARIABLE) != null) { // rank 0 hosts it, otherwise, and waits for nobody
            StoreFactory external = StoreFactory.byDefault(System.getenv(), CONNECT_TIMEOUT);
            wrapper.store((own, call) -> {
                SessionStore store = external.open(own, call);
                reporter.report(new Waits());
                return store;
            });
        }
        if (active != null) {
            wrapper.rankAssignment(new Tree(Layer.root().maxRanks(active).flags(Layer.Flag.RESERVE)));
        }
        if (detectsHangsSoon) {
            detectHangsSoon(wrapper);
        }
        return wrapper.build().call(training);
    }

    /** Detects hangs within seconds rather than a minute; a busy machine may stop a process for some of them. */
    private static void detectHangsSoon(Wrapper.Builder wrapper) {
        wrapper.progressWatchdogInterval(Duration.ofMillis(100))
                .monitorProcessInterval(Duration.ofMillis(100))
                .softTimeout(Duration.ofSeconds(5))
                .hardTimeout(Duration.ofSeconds(8))
                .asyncStopDelay(Duration.ofSeconds(1))
                .heartbeatTimeout(Duration.ofSeconds(8));
    }
}
