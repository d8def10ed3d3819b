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
        /** Returns what was measured; logs are written to this directory. */
        T measure(Path directory) throws IOException, InterruptedException;
    }

    /**
     * Measures once in a temporary directory, and adds the result to those before it, unless the run fails. Its directory is
     * kept if logs may explain that.
     */
    public <T> void add(List<T> results, String name, Run<T> run) throws IOException, InterruptedException {
        try (WorkDirectory directory = new WorkDirectory("resiliency-bench-")) {
            try {
                results.add(run.measure(directory.path()));
            } catch (IllegalStateException e) {
                directory.keep();
                failed.add(name);
                System.err.printf("%s failed: %s; logs: %s%n", name, e, directory.path());
            } catch (IOException | RuntimeException e) {
                failed.add(name);
                System.err.printf("%s failed: %s%n", name, e);
            }
        }
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
