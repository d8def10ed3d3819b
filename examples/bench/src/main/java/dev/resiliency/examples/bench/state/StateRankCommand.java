package dev.resiliency.examples.bench.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.bench.measure.Stage;
import dev.resiliency.examples.bench.measure.StagedStore;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code state-rank}: one rank of the measured job. Prints marks, and finishes on a command from standard input. */
@Command(name = "state-rank")
public final class StateRankCommand implements Callable<Integer> {
    /** Command on standard input: finish. */
    static final String FINISH = "finish";

    private static final Duration STORE_LIMIT = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(StateRankCommand.class);

    @Option(names = "--store-port", required = true)
    private int storePort;

    @Option(names = "--ranks", required = true)
    private int ranks;

    @Option(names = "--bytes", required = true)
    private int bytes;

    @Option(names = "--step-millis", required = true)
    private long stepMillis;

    @Option(names = "--checkpoint-interval", required = true)
    private int checkpointInterval;

    @Option(names = "--live")
    private boolean isLive;

    @Option(names = "--checkpoint", required = true)
    private Path checkpoint = Path.of("");

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new StateRankCommand(), arguments);
    }

    @Override
    public Integer call() throws InterruptedException {
        LineWriter out = new LineWriter(System.out);
        MeasuredTraining training = new MeasuredTraining(
                new MeasuredTraining.Settings(bytes, stepMillis, checkpointInterval, isLive, checkpoint),
                mark -> out.write(mark::toLine));
        Thread commands = new Thread(() -> obey(training), "commands");
        commands.setDaemon(true);
        commands.start();
        StoreFactory store = StagedStore.over(StoreFactory.external("127.0.0.1", storePort, STORE_LIMIT), stage -> {
            if (stage == Stage.MONITORED) {
                out.write(new StateMark.Ready()::toLine);
            }
        });
        try {
            Wrapper.builder()
                    .lastCallWait(Duration.ZERO)
                    .elasticity(Elasticity.defaults().minRanks(ranks).joinWait(Duration.ZERO))
                    .store(store)
                    .build()
                    .call(training);
            out.finish();
            return 0;
        } catch (RuntimeException | Error e) {
            LOG.error("this rank left the job", e);
            return 1;
        }
    }

    private static void obey(MeasuredTraining training) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(FINISH)) {
                    training.finish();
                }
            }
        } catch (IOException e) {
            LOG.debug("standard input cannot be read", e);
        }
        Runtime.getRuntime().halt(1); // the benchmark is gone
    }
}
