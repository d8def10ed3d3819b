package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.restart.MeasuredFunction.Order;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.examples.job.Parent;
import dev.resiliency.examples.job.Program;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code restart-rank}: one rank of the measured job. Prints marks, and obeys an {@link Order} from standard input. */
@Command(name = "restart-rank")
public final class RestartRankCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RestartRankCommand.class);

    @Option(names = "--fault", required = true)
    private Case.Fault fault = Case.Fault.EXCEPTION;

    @Option(names = "--profile", required = true)
    private Case.Profile profile = Case.Profile.DEFAULT;

    @Option(names = "--training", required = true)
    private String training = Trainings.NONE;

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new RestartRankCommand(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        LineWriter out = new LineWriter(System.out);
        System.setOut(System.err); // standard output is for marks alone
        MeasurableTraining measured = Trainings.create(training);
        measured.load();
        MeasuredFunction function =
                new MeasuredFunction(measured, Trainings.pause(training), fault, mark -> out.write(mark::toLine));
        Parent.obey(line -> function.obey(Order.valueOf(line)));
        try {
            profile.settings().listener(function).build().call(function);
            return 0;
        } catch (RuntimeException | Error e) {
            LOG.error("this rank left the job", e);
            return 1;
        } finally {
            out.finish();
        }
    }
}
