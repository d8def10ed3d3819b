package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code launch-rank}: one rank of the measured job. Prints marks, and completes when a file appears. */
@Command(name = "launch-rank")
public final class LaunchRankCommand implements Callable<Integer> {
    private static final long STEP_MILLIS = 5;

    @Option(names = "--end", required = true)
    private Path end = Path.of("");

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new LaunchRankCommand(), arguments);
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintStream out = System.out;
        System.setOut(System.err); // standard output is for marks alone
        out.println(mark(0));
        Wrapper.builder().build().call(call -> train(call, out));
        return 0;
    }

    /**
     * Returns a line that says how far it has come, as plain text, since the first JSON of a process takes as long as a restart.
     *
     * @param world the number of active ranks with which it has entered the function; 0 when its program has just started
     */
    private static String mark(int world) {
        return "process %d in a world of %d at %d"
                .formatted(ProcessHandle.current().pid(), world, System.nanoTime());
    }

    private @Nullable Void train(CallWrapper call, PrintStream out) throws InterruptedException {
        out.println(mark(call.state().activeWorldSize()));
        while (!Files.exists(end)) {
            call.ping();
            Thread.sleep(STEP_MILLIS);
        }
        return null;
    }
}
