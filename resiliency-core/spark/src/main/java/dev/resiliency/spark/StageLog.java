package dev.resiliency.spark;

import dev.resiliency.store.Change;
import dev.resiliency.store.Store;
import java.util.HashSet;
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

    private final SparkContext context;
    private final String stage;
    /** Filled by the thread of the store. */
    private final Queue<Change.Written> news = new ConcurrentLinkedQueue<>();

    private final Set<String> begun = new HashSet<>();
    private int restarts;
    private @Nullable String failure;

    StageLog(SparkContext context, String stage) {
        this.context = context;
        this.stage = stage;
    }

    void watch(Store store) throws InterruptedException {
        store.watchPrefix(StageSession.BEGAN, this::add);
        store.watchPrefix(StageSession.WORLD, this::add);
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
            String key = written.key();
            String text = written.value().text();
            if (key.startsWith(StageSession.BEGAN)) {
                String rank = key.split("/", -1)[1];
                begun.add(rank);
                LOG.info("{}: rank {} has read its rows in {}", stage, rank, text);
            } else if (key.startsWith(StageSession.WORLD)) {
                String[] world = text.split(" ", 3);
                world(Integer.parseInt(world[0]), Integer.parseInt(world[1]), world[2]);
            } else {
                failure = text;
            }
        }
    }

    private void world(int restartsByNow, int ranks, String cause) {
        if (restartsByNow == 0) {
            LOG.info("{}: {} ranks run the function", stage, ranks);
            return;
        }
        restarts = restartsByNow;
        LOG.info("{}: restart {}: {} ranks run the function after {}", stage, restarts, ranks, cause);
        context.listenerBus().post(new StageRestart(stage, restarts, ranks, cause));
    }

    /** Returns how many ranks have begun. */
    int ranksBegun() {
        return begun.size();
    }

    /** Returns how many restarts there have been. */
    int restarts() {
        return restarts;
    }

    /** Returns why the stage cannot succeed; null if it can. */
    @Nullable
    String failure() {
        return failure;
    }
}
