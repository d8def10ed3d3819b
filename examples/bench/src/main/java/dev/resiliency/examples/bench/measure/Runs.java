package dev.resiliency.examples.bench.measure;

import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The runs of a benchmark: one that fails is reported by its name, and loses none of the others. Confined to one thread. */
public final class Runs {
    private final List<String> failed = new ArrayList<>();

    /** Measures once. */
    @FunctionalInterface
    public interface Run<T> {
        /** Returns what was measured. */
        T measure() throws IOException, InterruptedException;
    }

    /** Measures once, and adds the result to those before it, unless the run fails. */
    public <T> void add(List<T> results, String name, Run<T> run) throws InterruptedException {
        try {
            results.add(run.measure());
        } catch (IOException | RuntimeException e) {
            failed.add(name);
            System.err.printf("%s failed: %s%n", name, e);
        }
    }

    /** Measures in a temporary directory, which is kept if the run fails in a way that its logs may explain. */
    public static <T> T inDirectory(RunIn<T> run) throws IOException, InterruptedException {
        try (WorkDirectory directory = new WorkDirectory("resiliency-bench-")) {
            try {
                return run.measure(directory.path());
            } catch (IllegalStateException e) {
                directory.keep();
                throw new IllegalStateException("%s; logs: %s".formatted(e.getMessage(), directory.path()), e);
            }
        }
    }

    /** Measures once, in a directory. */
    @FunctionalInterface
    public interface RunIn<T> {
        /** Returns what was measured. */
        T measure(Path directory) throws IOException, InterruptedException;
    }

    /** Returns the exit code of the benchmark: 1 if a run has failed, whose name it repeats. */
    public int exitCode() {
        if (failed.isEmpty()) {
            return 0;
        }
        System.err.printf("failed: %s%n", String.join("; ", failed));
        return 1;
    }
}
