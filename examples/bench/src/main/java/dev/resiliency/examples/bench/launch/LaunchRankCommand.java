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
        out.println(LaunchBoard.Mark.now(0).toLine());
        Wrapper.builder().build().call(call -> train(call, out));
        return 0;
    }

    private @Nullable Void train(CallWrapper call, PrintStream out) throws InterruptedException {
        out.println(LaunchBoard.Mark.now(call.state().activeWorldSize()).toLine());
        while (!Files.exists(end)) {
            call.ping();
            Thread.sleep(STEP_MILLIS);
        }
        return null;
    }
}
