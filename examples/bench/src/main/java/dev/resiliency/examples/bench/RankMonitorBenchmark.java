package dev.resiliency.examples.bench;

import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.monitor.spi.StampWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures what a training loop pays for each call of {@link dev.resiliency.monitor.RankMonitorClient}, with and without an agent. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RankMonitorBenchmark {
    /** Whether an agent watches. */
    @Param({"true", "false"})
    public boolean isWatched;

    private @Nullable StampFile file;
    private StampWriter monitor = StampWriter.ofThisProcess();
    private long step;

    /** For JMH. */
    public RankMonitorBenchmark() {}

    /** Opens the file, as an agent and a rank do. */
    @Setup
    public void open() throws IOException {
        if (isWatched) {
            file = StampFile.create(
                    Files.createTempDirectory("resiliency-bench").resolve("rank"), 3);
            monitor = StampWriter.of(file.path());
        }
    }

    /** Deletes the file. */
    @TearDown
    public void delete() throws IOException {
        if (file != null) {
            Path directory = file.path().getParent();
            file.delete();
            Files.delete(directory);
        }
    }

    /** A heartbeat. */
    @Benchmark
    public void heartbeat() {
        monitor.heartbeat();
    }

    /** A heartbeat that says a step. */
    @Benchmark
    public void ping() {
        monitor.ping(step++);
    }

    /** Opens and closes a section. */
    @Benchmark
    public void section() {
        monitor.section("optimizer").close();
    }

    /** Asks whether the world has changed. */
    @Benchmark
    public boolean nextEvent() {
        return monitor.nextEvent().isPresent();
    }

    /** What reading the clock costs, which each of the others but the last does. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }
}
