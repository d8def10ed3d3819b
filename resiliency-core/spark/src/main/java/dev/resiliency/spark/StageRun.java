package dev.resiliency.spark;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.store.Store;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag$;

/** One run of a stage, on the thread of its caller. */
final class StageRun<T, R> {
    private static final Logger LOG = LoggerFactory.getLogger(ResilientStage.class);
    private static final AtomicInteger RUNS = new AtomicInteger();
    /** Held from the wait for slots until all ranks have begun: two stages that each have some of the slots would wait for ever. */
    private static final ReentrantLock STARTING = new ReentrantLock(true);

    private static final int SECRET_BYTES = 32;
    private static final long POLL_MILLIS = 200;
    /** For the goodbyes of ranks that are being cancelled. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final ResilientStage settings;
    private final SparkContext context;
    private final SparkConf conf;
    private final JavaRDD<T> rows;
    private final Function2<CallWrapper, List<T>, R> function;
    private final int ranks;
    private final String stage;

    StageRun(ResilientStage settings, JavaRDD<T> rows, Function2<CallWrapper, List<T>, R> function) {
        this.settings = settings;
        this.context = settings.context.sc();
        this.conf = context.getConf();
        this.rows = rows;
        this.function = function;
        this.ranks = settings.ranks == 0 ? rows.getNumPartitions() : settings.ranks;
        this.stage = context.applicationId() + "-resilient-" + RUNS.incrementAndGet();
    }

    List<R> run() throws InterruptedException {
        Refusal.of(context.version(), conf, rows.rdd().isBarrier()).ifPresent(reason -> {
            throw new ResilientStageException(reason, null);
        });
        Refusal.warning(conf, context.isLocal(), settings.maxRestarts)
                .ifPresent(text -> LOG.warn("{}: {}", stage, text));
        requireSerializable("function", function);
        requireSerializable("settings", settings.settings);
        STARTING.lockInterruptibly();
        try {
            return host(partitioned(awaitSlots()));
        } finally {
            hasStarted();
        }
    }

    private static void hasStarted() {
        if (STARTING.isHeldByCurrentThread()) {
            STARTING.unlock();
        }
    }

    private static void requireSerializable(String name, Object value) {
        try {
            SparkEnv.get().closureSerializer().newInstance().serialize(value, ClassTag$.MODULE$.Any());
        } catch (Exception e) {
            if (e instanceof NotSerializableException) {
                throw new IllegalArgumentException(
                        ("the %s cannot be sent to executors, as it holds an object that is not serializable: %s. Give it local"
                                        + " variables instead of fields, or create the object in the function")
                                .formatted(name, e.getMessage()),
                        e);
            }
            throw new IllegalArgumentException("the %s cannot be sent to executors: %s".formatted(name, e), e);
        }
    }

    private Slots awaitSlots() throws InterruptedException {
        long begin = System.nanoTime();
        long reported = begin - StageLog.REPORT_NANOS;
        while (true) {
            Slots slots = Slots.of(context);
            if (slots.free() >= ranks) {
                return slots;
            }
            long waited = System.nanoTime() - begin;
            if (waited > settings.slotWait.toNanos()) {
                throw new ResilientStageException(
                        "%s needs %d %s without other tasks, and after %d s there are %d of %d: start more, or ask for fewer ranks"
                                .formatted(
                                        stage,
                                        ranks,
                                        context.isLocal() ? "cores" : "executors",
                                        settings.slotWait.toSeconds(),
                                        slots.free(),
                                        slots.all()),
                        null);
            }
            if (System.nanoTime() - reported >= StageLog.REPORT_NANOS) {
                reported = System.nanoTime();
                LOG.info(
                        "{}: waits for {} slots, {} of {} are free; for {} s by now, {} s at most",
                        stage,
                        ranks,
                        slots.free(),
                        slots.all(),
                        Duration.ofNanos(waited).toSeconds(),
                        settings.slotWait.toSeconds());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            if (context.isStopped()) {
                throw new ResilientStageException(stage + ": the context was stopped", null);
            }
        }
    }

    /** Returns the rows with a partition for each rank, whose task takes a whole executor. */
    private JavaRDD<T> partitioned(Slots slots) {
        int partitions = rows.getNumPartitions();
        JavaRDD<T> result = partitions > ranks
                ? rows.coalesce(ranks)
                : partitions < ranks ? rows.repartition(ranks) : rows.map(row -> row);
        if (context.isLocal()
                || rows.rdd().getResourceProfile() != null
                || slots.executorCores() == conf.getInt("spark.task.cpus", 1)) {
            return result;
        }
        TaskResourceRequests whole = new TaskResourceRequests().cpus(slots.executorCores());
        return result.withResources(new ResourceProfileBuilder().require(whole).build());
    }

    private List<R> host(JavaRDD<T> partitioned) throws InterruptedException {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        String host = conf.get("spark.driver.host");
        TcpStoreServer server = TcpStoreServer.builder()
                .host(conf.get("spark.driver.bindAddress", host))
                .port(settings.port)
                .secret(Secret.of(secret))
                .tls(null)
                .start();
        try {
            StagePlan plan = new StagePlan(
                    stage,
                    host,
                    server.port(),
                    HexFormat.of().formatHex(secret),
                    ranks,
                    context.isLocal(),
                    settings.maxRestarts,
                    settings.lostRows,
                    settings.replacementWait,
                    maxResultBytes(),
                    settings.settings);
            try (Store store = plan.connect("driver")) {
                return run(partitioned, plan, store);
            }
        } finally {
            server.close(GRACE);
        }
    }

    private long maxResultBytes() {
        long limit = conf.getSizeAsBytes("spark.driver.maxResultSize", "1g");
        return limit == 0 ? Long.MAX_VALUE : limit;
    }

    private List<R> run(JavaRDD<T> partitioned, StagePlan plan, Store store) throws InterruptedException {
        long begin = System.nanoTime();
        StageLog log = new StageLog(context, stage);
        log.watch(store);
        try (RankJobs jobs = RankJobs.submit(context, partitioned.rdd(), new RankTask<>(plan, function))) {
            await(jobs, log);
        }
        List<ByteBuffer> results = Results.read(store)
                .orElseThrow(() -> new ResilientStageException(
                        stage + ": all tasks have ended, but no iteration has completed: all ranks have left", null));
        LOG.info(
                "{}: complete after {} s and {} restarts, with {} results of {} bytes",
                stage,
                Duration.ofNanos(System.nanoTime() - begin).toMillis() / 1e3,
                log.restarts(),
                results.size(),
                results.stream().mapToLong(ByteBuffer::remaining).sum());
        return deserialized(results);
    }

    private void await(RankJobs jobs, StageLog log) throws InterruptedException {
        while (true) {
            jobs.await(POLL_MILLIS);
            Throwable failed = jobs.failure();
            List<Integer> running = jobs.running();
            log.read();
            if (log.failure() != null || failed != null) {
                throw failure(log.failure(), failed);
            }
            if (running.isEmpty()) {
                return;
            }
            if (log.isCompleteWithout(running)) {
                LOG.info(
                        "{}: complete without ranks {}, whose replacements have not come: their tasks are cancelled",
                        stage,
                        running);
                return;
            }
            if (log.ranksBegun() == ranks) {
                hasStarted();
            }
        }
    }

    private ResilientStageException failure(@Nullable String reason, @Nullable Throwable failed) {
        String text = reason != null ? reason : String.valueOf(failed == null ? null : failed.getMessage());
        return new ResilientStageException(stage + " has failed: " + text, failed);
    }

    private List<R> deserialized(List<ByteBuffer> results) {
        SerializerInstance serializer = SparkEnv.get().serializer().newInstance();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        List<R> objects = new ArrayList<>();
        for (ByteBuffer result : results) {
            objects.add(serializer.<R>deserialize(result, loader, ClassTag$.MODULE$.apply(Object.class)));
        }
        return Collections.unmodifiableList(objects);
    }
}
