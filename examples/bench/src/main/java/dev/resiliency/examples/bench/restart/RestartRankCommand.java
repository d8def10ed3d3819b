package dev.resiliency.examples.bench.restart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.bench.restart.Conditions.BenchFault;
import dev.resiliency.examples.bench.restart.Conditions.BenchProfile;
import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.examples.job.Parent;
import dev.resiliency.examples.job.Program;
import java.io.PrintStream;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code restart-rank}: one rank of the measured job. Prints marks, and fails on a command from standard input. */
@Command(name = "restart-rank")
public final class RestartRankCommand implements Callable<Integer> {
    /** Command on standard input: fail now. */
    static final String FAIL = "fail";
    /** Command on standard input: finish. */
    static final String FINISH = "finish";

    private static final Logger LOG = LoggerFactory.getLogger(RestartRankCommand.class);

    @Option(names = "--fault", required = true)
    private BenchFault fault = BenchFault.EXCEPTION;

    @Option(names = "--profile", required = true)
    private BenchProfile profile = BenchProfile.DEFAULT;

    @Option(names = "--training", required = true)
    private String training = Trainings.NONE;

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new RestartRankCommand(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // standard output is for marks alone
        loadMarks();
        MeasurableTraining measured = Trainings.create(training);
        measured.load();
        MeasuredFunction function =
                new MeasuredFunction(measured, Trainings.pause(training), fault, mark -> print(out, mark));
        Parent.obey(command -> obey(function, command));
        try {
            profile.settings().listener(function).build().call(function);
            return 0;
        } catch (RuntimeException | Error e) {
            LOG.error("this rank left the job", e);
            return 1;
        }
    }

    /** Loads the classes that report a restart, so that this does not count as part of it. */
    private static void loadMarks() {
        Map<String, Long> phases = Collections.unmodifiableMap(new TreeMap<>(Map.of("ABORT", 1L)));
        for (Mark mark : List.of(Mark.now(Kind.GROUP, 1), new Mark(Kind.RESTARTED, 1, 1, phases))) {
            Mark.parse(mark.toLine());
        }
    }

    private static void print(PrintStream out, Mark mark) {
        synchronized (out) {
            out.writeBytes((mark.toLine() + "\n").getBytes(UTF_8));
            out.flush();
        }
    }

    private static void obey(MeasuredFunction function, String command) {
        switch (command) {
            case FAIL -> function.fail();
            case FINISH -> function.finish();
            default -> throw new IllegalArgumentException("not a command: " + command);
        }
    }
}
