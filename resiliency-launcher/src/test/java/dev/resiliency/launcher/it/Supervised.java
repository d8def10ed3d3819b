package dev.resiliency.launcher.it;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A real supervisor, {@code resiliency supervise}, in a process of its own, with its own run directory. */
final class Supervised implements AutoCloseable {
    private static final Map<String, String> DEFAULTS =
            Map.of("--backoff", "0:1s", "--max-restarts", "3", "--max-startup-failures", "0");

    private final ProcessJob job;

    private Supervised(ProcessJob job) {
        this.job = job;
    }

    /** Starts a supervisor of a shell script, which restarts up to three times, at once. */
    static Supervised script(Path directory, String script, String... options) throws IOException {
        return command(directory, List.of("sh", "-c", script), options);
    }

    static Supervised command(Path directory, List<String> command, String... options) throws IOException {
        return new Supervised(builder(directory)
                .arguments(arguments(directory, command, options))
                .start());
    }

    static ProcessJob.Builder builder(Path directory) {
        return ProcessJob.builder(ResiliencyCommand.class, directory);
    }

    static String[] arguments(Path directory, List<String> command, String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("supervise", "--run-dir", directory.resolve("run").toString()));
        DEFAULTS.forEach((option, value) -> {
            if (!List.of(options).contains(option)) {
                arguments.addAll(List.of(option, value));
            }
        });
        arguments.addAll(List.of(options));
        arguments.add("--");
        arguments.addAll(command);
        return arguments.toArray(String[]::new);
    }

    /** Returns the process of the supervisor; its output and log include those of the command. */
    RankProcess process() {
        return job.rank(0);
    }

    int awaitExit() throws InterruptedException {
        return process().awaitExit();
    }

    String log() {
        return process().log();
    }

    @Override
    public void close() {
        job.close();
    }
}
