package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.DigitsTraining;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.examples.job.Parent;
import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code chaos-rank}: the process of one rank. Prints events and nothing else, and obeys orders from standard input; under an agent,
 * prints its process id before each event, and obeys orders from its file.
 */
@Command(name = "chaos-rank")
public final class ChaosRankCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ChaosRankCommand.class);
    private static final Duration STORE_LIMIT = Duration.ofSeconds(60);
    /** A system property: the number of the process in its job. */
    static final String PROCESS = "chaos.process";
    /** A system property: the port at which this process reaches the store; absent if rank 0 hosts it. */
    static final String STORE_PORT = "chaos.store.port";
    /** More steps than any job reaches; an order ends it earlier. */
    private static final int WITHOUT_END = 10_000_000;

    @Option(names = "--directory", required = true)
    private Path directory = Path.of("");

    @Option(names = "--launched")
    private boolean launched;

    @Option(names = "--active")
    private int active;

    @Option(names = "--patient", negatable = true)
    private boolean patient;

    @Option(names = "--last-call-millis")
    private int lastCallMillis;

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new ChaosRankCommand(), arguments);
    }

    /** Returns the file in which the monitor process of a process writes its process id. */
    static Path monitorPid(Path directory, int process) {
        return directory.resolve("monitor-" + process + ".pid");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        LineWriter out = new LineWriter(System.out);
        System.setOut(System.err); // standard output is for events alone
        LeftoverSearch leftovers = new LeftoverSearch();
        String prefix = launched ? ProcessHandle.current().pid() + " " : "";
        Consumer<ChaosEvent> tell = event -> out.write(() -> prefix + Json.line(event));
        Orders orders = new Orders();
        CountDownLatch closed = new CountDownLatch(1);
        if (launched) {
            tell.accept(new ChaosEvent.Launched(Environment.fromVariables().rank(), System.nanoTime()));
            orders.follow(directory);
        } else {
            Parent.obey(line -> {
                tell.accept(new ChaosEvent.Obeys(orders.take(line), System.nanoTime()));
                if (line.equals(Orders.close())) {
                    closed.countDown();
                }
            });
        }
        ChaosEvent end = run(new ChaosRank(orders, tell, out::flush), tell);
        tell.accept(end);
        if (!launched) {
            closed.await();
            boolean mayHost = end instanceof ChaosEvent.Left && Integer.getInteger(STORE_PORT) == null;
            tell.accept(new ChaosEvent.LeftBehind(mayHost ? List.of() : leftovers.await(), System.nanoTime()));
        }
        out.finish();
        return launched && end instanceof ChaosEvent.Left ? 1 : 0;
    }

    private ChaosEvent run(ChaosRank rank, Consumer<ChaosEvent> tell) throws IOException {
        TrainingPlan plan = new TrainingPlan(WITHOUT_END, 64, 32, 0.01f, 0.9f, 10, WITHOUT_END, 42);
        DigitsTraining training =
                new DigitsTraining(plan, Digits.load(), new CheckpointFile(directory.resolve("checkpoint")), rank);
        Wrapper.Builder settings = launched ? settingsUnderAgent() : settings(rank);
        try {
            settings.prepare(() -> tell.accept(new ChaosEvent.Prepared(System.nanoTime())))
                    .listener(rank)
                    .build()
                    .call(call -> train(call, training));
            return new ChaosEvent.Completed(System.nanoTime());
        } catch (InterruptedException | RuntimeException | Error e) {
            LOG.error("this rank left the job", e);
            return new ChaosEvent.Left(e.getClass().getSimpleName(), String.valueOf(e.getMessage()), System.nanoTime());
        }
    }

    /** A patient rank waits for the restart when its neighbours are gone, as an NCCL collective does. */
    private @Nullable Double train(CallWrapper call, DigitsTraining training) throws Exception {
        try {
            return training.call(call);
        } catch (ChaosRank.FinishedException finished) {
            return null;
        } catch (IOException e) {
            while (patient) { // if no restart comes, the job is reported as stuck
                call.ping();
                Thread.sleep(1);
            }
            throw e;
        }
    }

    /** Limits that detect a hang within one or two seconds. */
    private Wrapper.Builder settings(ChaosRank rank) {
        int process = Integer.getInteger(PROCESS);
        Integer port = Integer.getInteger(STORE_PORT);
        StoreFactory store = port == null
                ? StoreFactory.hostedByRankZero(STORE_LIMIT)
                : StoreFactory.external("127.0.0.1", port, STORE_LIMIT);
        return Wrapper.builder()
                .store(store)
                .rankAssignment(new Tree(Layer.root().maxRanks(active).flags(Layer.Flag.RESERVE)))
                .initialize(state -> rank.hookRuns(Place.INITIALIZE, state))
                .abort(state -> rank.hookRuns(Place.ABORT, state))
                .finalize(state -> rank.hookRuns(Place.FINALIZE, state))
                .healthCheck(state -> rank.hookRuns(Place.HEALTH_CHECK, state))
                .monitorProcessLogFile(
                        directory.resolve("monitor-" + process + ".log").toString())
                .monitorProcessPidFile(monitorPid(directory, process).toString())
                .progressWatchdogInterval(Duration.ofMillis(50))
                .monitorProcessInterval(Duration.ofMillis(50))
                .heartbeatInterval(Duration.ofMillis(400))
                .heartbeatTimeout(ChaosLimits.HEARTBEAT_TIMEOUT)
                .softTimeout(ChaosLimits.SOFT_TIMEOUT)
                .hardTimeout(port == null ? ChaosLimits.HARD_TIMEOUT_WITH_STORE : ChaosLimits.HARD_TIMEOUT)
                .terminationGraceTime(ChaosLimits.TERMINATION_GRACE_TIME)
                .asyncStopDelay(Duration.ofMillis(300))
                .barrierTimeout(Duration.ofSeconds(60))
                .completionTimeout(Duration.ofSeconds(30))
                .lastCallWait(Duration.ofMillis(lastCallMillis));
    }

    /** Limits that detect a hang within some seconds, while other JVMs start on the same processors. */
    private static Wrapper.Builder settingsUnderAgent() {
        return Wrapper.builder()
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
