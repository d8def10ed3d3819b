package dev.resiliency.xgboost;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.Communicator;
import ml.dmlc.xgboost4j.java.Communicator.OpType;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active ranks of an iteration, which train one model with XGBoost. A restart aborts the group by itself: whatever
 * waits in XGBoost for another rank ends.
 *
 * <pre>{@code
 * wrapper.call(call -> {
 *     try (XGBoostGroup group = XGBoostGroup.connect(call)) {
 *         DMatrix train = group.matrix(() -> rows(group.rank(), group.size()));
 *         LiveBooster live = LiveBooster.recover(group, params, train);
 *         while (live.rounds() < 100) {
 *             live.round(booster -> booster.update(train, live.rounds()));
 *         }
 *         return live.model();
 *     }
 * });
 * }</pre>
 *
 * <p>All ranks must call the same methods in the same order. When the restart begins, an operation that waits ends with
 * {@link dev.resiliency.inprocess.RestartSignal} or {@link XGBoostGroupException}, and so does each later one.
 *
 * <p>Belongs to the thread of the function, as XGBoost's communicator does. It must also close it, after everything that
 * uses XGBoost.
 *
 * @since 0.1.0
 */
public final class XGBoostGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(XGBoostGroup.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    /** So that the tracker, which knows who is missing, is the first to give up. */
    private static final Duration LATER = Duration.ofSeconds(2);
    /** How long a rank that has lost a connection waits for the one that broke to say so, before it reports itself. */
    private static final Duration REASON_LIMIT = Duration.ofMillis(500);

    private final CallWrapper call;
    private final Tracker tracker;
    private final GroupConnections connections;
    private final GroupAbort abort;
    /** What frees the native objects of the group, newest first. */
    private final Deque<Runnable> resources = new ArrayDeque<>();

    private boolean isClosed;

    private XGBoostGroup(CallWrapper call, Tracker tracker) {
        this.call = call;
        this.tracker = tracker;
        this.connections = new GroupConnections(tracker);
        this.abort = new GroupAbort(tracker, connections);
    }

    /** Connects all active ranks. As {@link #connect(CallWrapper, Duration)} with 5 min. */
    public static XGBoostGroup connect(CallWrapper call) throws InterruptedException {
        return connect(call, TIMEOUT);
    }

    /**
     * Connects all active ranks, over the network interface that leads to the store. All active ranks must call this.
     *
     * @param timeout of the wait for the other ranks and, two seconds longer, of each operation: the last resort if a rank
     *     stops and no restart begins
     * @throws XGBoostGroupException if a rank does not come, or its connection fails
     */
    public static XGBoostGroup connect(CallWrapper call, Duration timeout) throws InterruptedException {
        XGBoostLibrary.load();
        try {
            XGBoostGroup group = new XGBoostGroup(call, Tracker.start(call, timeout));
            group.connect(timeout);
            return group;
        } catch (IOException e) {
            throw new XGBoostGroupException(
                    call.state().activeRank(), "connect", "cannot listen on the loopback interface: " + e, e);
        }
    }

    @SuppressWarnings("try") // the wait is only closed
    private void connect(Duration timeout) throws InterruptedException {
        boolean isConnected = false;
        try (HangProtectionPause wait = call.waitsForPeers()) {
            call.onAbort(abort);
            Communicator.init(Map.of(
                    "dmlc_tracker_uri", tracker.host(),
                    "dmlc_tracker_port", tracker.port(),
                    "dmlc_timeout", timeout.plus(LATER).toSeconds(),
                    "dmlc_retry", 1)); // the others listen before their ports are known; XGBoost would sleep for 6 s
            connections.hold();
            isConnected = true;
        } catch (XGBoostError e) {
            throw failure("connect", e, tracker.problem());
        } finally {
            abort.connected();
            if (!isConnected) {
                abort.endErrorListener();
                tracker.close();
            }
        }
    }

    /** Returns this rank within the group: its active rank. */
    public int rank() {
        return call.state().activeRank();
    }

    /** Returns the number of ranks in the group: the active world size. */
    public int size() {
        return call.state().activeWorldSize();
    }

    CallWrapper call() {
        return call;
    }

    /** Code that uses XGBoost. */
    @FunctionalInterface
    public interface XGBoostCall<T extends @Nullable Object> {
        /** Runs it. */
        T run() throws XGBoostError;
    }

    /**
     * Makes a matrix, which is a collective operation, and frees it when this group is closed.
     *
     * @param create makes it from data that the process keeps over a restart: a matrix belongs to one iteration
     * @throws XGBoostGroupException if XGBoost throws
     */
    public DMatrix matrix(XGBoostCall<DMatrix> create) throws InterruptedException {
        DMatrix matrix = run("matrix", create);
        resources.push(matrix::dispose);
        return matrix;
    }

    /** Makes a model, and frees it when this group is closed. */
    Booster booster(XGBoostCall<Booster> create) throws InterruptedException {
        Booster booster = run("booster", create);
        resources.push(booster::dispose);
        return booster;
    }

    /**
     * Runs code that uses XGBoost, such as an update of a model, and returns what it returns. If XGBoost fails because
     * another rank has died, this ends with the restart. The wrapper cannot see that it only waits: a wait that exceeds the
     * soft timeout counts as a hang.
     *
     * @throws XGBoostGroupException if XGBoost throws
     */
    public <T extends @Nullable Object> T run(XGBoostCall<T> action) throws InterruptedException {
        return run("run", action);
    }

    private <T extends @Nullable Object> T run(String operation, XGBoostCall<T> action) throws InterruptedException {
        try {
            return action.run();
        } catch (XGBoostError e) {
            throw failure(operation, e, "");
        }
    }

    /**
     * Returns the values of all ranks, combined element by element. A wait for a slow rank does not count as a hang.
     *
     * @throws XGBoostGroupException if a rank has died, or the timeout expires
     */
    public float[] allReduce(float[] values, OpType operation) throws InterruptedException {
        return collective("allReduce", () -> Collectives.allReduce(values, operation));
    }

    /** See {@link #allReduce(float[], OpType)}. */
    public double[] allReduce(double[] values, OpType operation) throws InterruptedException {
        return collective("allReduce", () -> Collectives.allReduce(values, operation));
    }

    /** See {@link #allReduce(float[], OpType)}. */
    public long[] allReduce(long[] values, OpType operation) throws InterruptedException {
        return collective("allReduce", () -> Collectives.allReduce(values, operation));
    }

    /**
     * Returns the bytes of one rank on all. A wait for a slow rank does not count as a hang.
     *
     * @param bytes those of the root; what others pass counts for nothing
     * @throws XGBoostGroupException if a rank has died, or the timeout expires
     */
    public byte[] broadcast(byte[] bytes, int root) throws InterruptedException {
        return collective("broadcast", () -> Collectives.broadcast(bytes, rank() == root));
    }

    @SuppressWarnings("try") // the wait is only closed
    private <T> T collective(String operation, XGBoostCall<T> action) throws InterruptedException {
        try (HangProtectionPause wait = call.waitsForPeers()) {
            return run(operation, action);
        }
    }

    /**
     * Returns the exception for what XGBoost threw, or throws the restart's signal if that is the reason: another rank has
     * failed, and closed its connections, a moment before it can say so.
     */
    private XGBoostGroupException failure(String operation, XGBoostError thrown, String problem)
            throws InterruptedException {
        abort.await(REASON_LIMIT);
        call.checkRestart();
        return new XGBoostGroupException(
                rank(), operation, problem.isEmpty() ? String.valueOf(thrown.getMessage()) : problem, thrown);
    }

    /** Frees the matrices and the model, and leaves the group. Idempotent. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        resources.forEach(Runnable::run);
        try {
            Communicator.shutdown();
        } catch (XGBoostError e) {
            LOG.debug("a group of XGBoost was broken when it was closed: {}", e.toString());
            abort.endErrorListener();
        }
        connections.left();
        tracker.close();
    }
}
