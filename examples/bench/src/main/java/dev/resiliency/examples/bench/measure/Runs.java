package dev.resiliency.examples.bench.measure;

import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The runs of a benchmark: one that fails is reported by its name, and loses none of the others. Confined to one thread. */
public final class Runs {
    private final List<String> failed = new ArrayList<>();

    /** Measures a case once. */
    @FunctionalInterface
    public interface Run<C, T> {
        /** Returns what was measured; logs are written to this directory. */
        T measure(C each, Path directory) throws IOException, InterruptedException;
    }

    /**
     * Measures each case so often: in turns, since the speed of a machine varies by the minute.
     *
     * @param of what all cases belong to, for people
     * @param nanos which of the times that were measured is printed at once
     * @return what was measured of each case, without those whose runs have all failed
     */
    public <C extends Comparable<C>, T> Map<C, List<T>> inTurns(
            String of, List<C> cases, int count, Run<C, T> run, ToDoubleFunction<T> nanos)
            throws IOException, InterruptedException {
        Map<C, List<T>> results = new TreeMap<>();
        for (int i = 1; i <= count; i++) {
            for (C each : cases) {
                String name = "%s %s: run %d of %d".formatted(of, each, i, count);
                measure(each, name, run).ifPresent(measured -> {
                    System.err.printf("%s: %.1f ms%n", name, nanos.applyAsDouble(measured) / 1e6);
                    results.computeIfAbsent(each, key -> new ArrayList<>()).add(measured);
                });
            }
        }
        return results;
    }

    /** Measures in a temporary directory, which is kept if the run fails and logs may explain that. */
    private <C, T> Optional<T> measure(C each, String name, Run<C, T> run) throws IOException, InterruptedException {
        try (WorkDirectory directory = new WorkDirectory("resiliency-bench-")) {
            try {
                return Optional.of(run.measure(each, directory.path()));
            } catch (IllegalStateException e) {
                directory.keep();
                failed.add(name);
                System.err.printf("%s failed: %s; logs: %s%n", name, e, directory.path());
            } catch (IOException | RuntimeException e) {
                failed.add(name);
                System.err.printf("%s failed: %s%n", name, e);
            }
            return Optional.empty();
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
