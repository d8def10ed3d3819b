package dev.resiliency.examples.bench;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.spi.InMemoryStore;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures what a training loop pays in each step of a running job, with its monitor thread and its watchdog. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CallWrapperBenchmark {
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable CallWrapper call;

    /** For JMH. */
    public CallWrapperBenchmark() {}

    /** Starts a job of one rank, whose function passes its call to the benchmark. */
    @Setup
    public void start() throws InterruptedException {
        BlockingQueue<CallWrapper> lent = new LinkedBlockingQueue<>();
        Wrapper wrapper = Wrapper.builder()
                .environment(Environment.single())
                .store((environment, number) -> InMemoryStore.create())
                .monitorProcess(false)
                .build();
        Thread job = new Thread(() -> run(wrapper, lent), "job");
        job.setDaemon(true);
        job.start();
        call = lent.take();
    }

    private void run(Wrapper wrapper, BlockingQueue<CallWrapper> lent) {
        try {
            wrapper.call(given -> {
                lent.add(given);
                over.await(); // does not ping; the watchdog tolerates that for a minute
                return null;
            });
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /** Ends the job. */
    @TearDown
    public void end() {
        over.countDown();
    }

    /** The manual heartbeat. */
    @Benchmark
    public void ping() {
        running().ping();
    }

    /** Enters and leaves a section that a restart waits for. */
    @Benchmark
    public void atomic() {
        running().atomic().close();
    }

    private CallWrapper running() {
        if (call == null) {
            throw new IllegalStateException("the job has not started");
        }
        return call;
    }
}
