package dev.resiliency.spark;

import dev.resiliency.store.Change;
import dev.resiliency.store.Store;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the driver learns from the ranks of a stage, and tells its log and its listeners. Belongs to the thread that runs the stage. */
final class StageLog {
    private static final Logger LOG = LoggerFactory.getLogger(ResilientStage.class);
    /** Between two lines about what goes on as before. */
    static final long REPORT_NANOS = Duration.ofSeconds(10).toNanos();

    private final SparkContext context;
    private final String stage;
    /** Filled by the thread of the store. */
    private final Queue<Change.Written> news = new ConcurrentLinkedQueue<>();

    private final Set<String> begun = new HashSet<>();
    /** The ranks that have seen the job complete. */
    private final Set<Integer> completed = new HashSet<>();
    /** Of the first iteration until one has begun. */
    private World world = new World(0, 0, 0);
    /** What was logged last about the progress of this iteration. */
    private @Nullable Step logged;

    private @Nullable String failure;

    private record World(int iteration, int restarts, int ranks) {}

    private record Step(long number, long nanos) {}

    StageLog(SparkContext context, String stage) {
        this.context = context;
        this.stage = stage;
    }

    void watch(Store store) throws InterruptedException {
        store.watchPrefix(StageSession.BEGAN, this::add);
        store.watchPrefix(StageSession.WORLD, this::add);
        store.watchPrefix(StageSession.STEP, this::add);
        store.watchPrefix(StageSession.COMPLETE, this::add);
        store.watch(StageSession.FAILED, this::add);
    }

    private void add(Change change) {
        if (change instanceof Change.Written written) {
            news.add(written);
        }
    }

    /** Tells what has happened since the last call. */
    void read() {
        for (Change.Written written = news.poll(); written != null; written = news.poll()) {
            String[] key = written.key().split("/", -1);
            String text = written.value().text();
            switch (key[0] + "/") {
                case StageSession.BEGAN -> began(key[1], text);
                case StageSession.WORLD -> {
                    String[] words = text.split(" ", 3);
                    begins(
                            new World(Integer.parseInt(key[1]), Integer.parseInt(words[0]), Integer.parseInt(words[1])),
                            words[2]);
                }
                case StageSession.STEP -> {
                    if (Integer.parseInt(key[1])
                            == world.iteration()) { // not of a rank that others have gone on without
                        progresses(Long.parseLong(text), System.nanoTime());
                    }
                }
                case StageSession.COMPLETE -> completed.add(Integer.valueOf(key[1]));
                default -> failure = text;
            }
        }
    }

    private void began(String rank, String place) {
        begun.add(rank);
        LOG.info("{}: rank {} has read its rows in {}", stage, rank, place);
    }

    private void begins(World next, String cause) {
        world = next;
        logged = null;
        if (next.restarts() == 0) {
            LOG.info("{}: {} ranks run the function", stage, next.ranks());
            return;
        }
        LOG.info("{}: restart {}: {} ranks run the function after {}", stage, next.restarts(), next.ranks(), cause);
        context.listenerBus().post(new StageRestart(stage, next.restarts(), next.ranks(), cause));
    }

    private void progresses(long step, long now) {
        Step before = logged;
        if (before == null) {
            logged = new Step(step, now);
            LOG.info("{}: {} at step {}", stage, world.restarts() == 0 ? "begins" : "goes on", step);
        } else if (now - before.nanos() >= REPORT_NANOS) {
            logged = new Step(step, now);
            double perSecond = (step - before.number()) * 1e9 / (now - before.nanos());
            LOG.info("{}: step {}, {} steps per second", stage, step, "%.1f".formatted(perSecond));
        }
        context.listenerBus().post(new StageProgress(stage, step, world.restarts(), world.ranks()));
    }

    /** Returns how many ranks have begun. */
    int ranksBegun() {
        return begun.size();
    }

    /** Returns whether all ranks that run the function have seen the job complete, none of them among {@code missing}. */
    boolean isCompleteWithout(List<Integer> missing) {
        return world.ranks() > 0 && completed.size() >= world.ranks() && Collections.disjoint(completed, missing);
    }

    /** Returns how many restarts there have been. */
    int restarts() {
        return world.restarts();
    }

    /** Returns why the stage cannot succeed; null if it can. */
    @Nullable
    String failure() {
        return failure;
    }
}
