package dev.resiliency.examples.bench.measure;

import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The runs of a benchmark, and its options that are about them, as a picocli mixin. A run that fails is reported by its name, and loses
 * none of the others. Confined to one thread.
 */
public final class Runs {
    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Number of ranks of the job (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(names = "--runs", paramLabel = "N", description = "Number of jobs per row (default: ${DEFAULT-VALUE}).")
    private int count;

    @Mixin
    private JsonOption json = new JsonOption();

    private final List<String> failed = new ArrayList<>();

    /** Creates them with the defaults of a benchmark. */
    public Runs(int ranks, int count) {
        this.ranks = ranks;
        this.count = count;
    }

    /** Measures a case once. */
    @FunctionalInterface
    public interface Run<C, T> {
        /** Returns what was measured; logs are written to this directory. */
        T measure(C each, Path directory) throws IOException, InterruptedException;
    }

    /** Result of all runs, as {@code --json} writes it. */
    private record Report(Machine machine, List<?> series) {}

    /** Returns the number of ranks of a job. */
    public int ranks() {
        return ranks;
    }

    /** Rejects what cannot be measured, or not be written. */
    public void check() {
        Program.require(ranks >= 2, "--ranks must be at least 2, since rank 1 is killed");
        Program.require(count >= 1, "--runs must be at least 1");
        json.check();
    }

    /**
     * Measures each case so often: in turns, since the speed of a machine varies by the minute.
     *
     * @param nanos which of the times that were measured is printed at once
     * @param series what is made of the runs of a case
     * @return the series of all cases, without those whose runs have all failed
     */
    public <C, T, S> List<S> inTurns(
            List<C> cases, Run<C, T> run, ToDoubleFunction<T> nanos, BiFunction<C, List<T>, S> series)
            throws IOException, InterruptedException {
        Map<C, List<T>> results = new LinkedHashMap<>();
        for (int i = 1; i <= count; i++) {
            for (C each : cases) {
                String name = "%s: run %d of %d".formatted(each, i, count);
                measure(each, name, run).ifPresent(measured -> {
                    System.err.printf("%s: %.1f ms%n", name, nanos.applyAsDouble(measured) / 1e6);
                    results.computeIfAbsent(each, key -> new ArrayList<>()).add(measured);
                });
            }
        }
        List<S> all = new ArrayList<>();
        results.forEach((each, measured) -> all.add(series.apply(each, measured)));
        return all;
    }

    /** Measures in a temporary directory, which is kept if the run fails and logs may explain that. */
    private <C, T> Optional<T> measure(C each, String name, Run<C, T> run) throws IOException, InterruptedException {
        try (WorkDirectory directory = new WorkDirectory("resiliency-bench-")) {
            try {
                return Optional.of(run.measure(each, directory.path()));
            } catch (IOException | RuntimeException e) {
                failed.add(name);
                System.err.printf("%s failed: %s%n", name, e);
                if (e instanceof IllegalStateException) {
                    directory.keep();
                    System.err.println("logs: " + directory.path());
                }
                return Optional.empty();
            }
        }
    }

    /** Writes the report if the user asked for it; returns the exit code: 1 if a run has failed, whose name it repeats. */
    public int report(Machine machine, List<?> series) throws IOException {
        json.write(new Report(machine, series));
        if (failed.isEmpty()) {
            return 0;
        }
        System.err.printf("failed: %s%n", String.join("; ", failed));
        return 1;
    }
}
