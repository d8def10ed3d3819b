package dev.resiliency.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.store.Store;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.testing.FakeCallWrapper;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import ml.dmlc.xgboost4j.java.Communicator.OpType;
import ml.dmlc.xgboost4j.java.DMatrix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a rank sees of the others. XGBoost's communicator belongs to a thread, so each thread here is a rank. */
class XGBoostGroupIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Store store = InMemoryStore.create();
    private final FakeCallWrapper first = new FakeCallWrapper(0, 2, store);
    private final FakeCallWrapper second = new FakeCallWrapper(1, 2, store);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    private <T> Future<T> rank(Callable<T> function) {
        return threads.submit(function);
    }

    @Test
    void collectiveWithARankThatHasLeftFailsWithTheReason() throws Exception {
        Future<long[]> left = rank(() -> {
            try (XGBoostGroup group = XGBoostGroup.connect(first, TIMEOUT)) {
                group.allReduce(new long[] {1}, OpType.SUM);
                return group.allReduce(new long[] {1}, OpType.SUM);
            }
        });
        rank(() -> {
                    try (XGBoostGroup group = XGBoostGroup.connect(second, TIMEOUT)) {
                        return group.allReduce(new long[] {1}, OpType.SUM);
                    }
                })
                .get();

        assertThatThrownBy(left::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(XGBoostGroupException.class)
                .hasMessageMatching("allReduce failed on active rank 0: .*(EOF|reset|Broken pipe|Poll).*");
    }

    @Test
    void failureThatTheRestartExplainsEndsWithTheRestart() throws Exception {
        CompletableFuture<Void> waits = new CompletableFuture<>();
        Future<long[]> left = rank(() -> {
            try (XGBoostGroup group = XGBoostGroup.connect(first, TIMEOUT)) {
                waits.complete(null);
                return group.allReduce(new long[] {1}, OpType.SUM);
            }
        });
        Future<Boolean> other = rank(() -> {
            XGBoostGroup.connect(second, TIMEOUT).close();
            return true;
        });
        waits.join();
        first.restart(); // within half a second of the loss, as the wrapper does

        assertThat(other.get()).isTrue();
        assertThatThrownBy(left::get).hasRootCauseInstanceOf(RestartSignal.class);
    }

    @Test
    void restartFreesARankThatWaitsForOneThatDoesNotCome() throws Exception {
        Future<Integer> waiting = rank(() -> {
            try (XGBoostGroup group = XGBoostGroup.connect(first, TIMEOUT)) {
                return group.size();
            }
        });
        store.get("xgboost/group/1/0"); // it listens
        first.restart();

        assertThatThrownBy(waiting::get).hasRootCauseInstanceOf(RestartSignal.class);
    }

    @Test
    void rankThatDoesNotComeIsNamed() {
        Future<XGBoostGroup> alone = rank(() -> XGBoostGroup.connect(first, Duration.ofSeconds(1)));

        assertThatThrownBy(alone::get)
                .cause()
                .hasMessage("connect failed on active rank 0: active ranks {1} have not come to create the group within 1 s");
    }

    @Test
    void linearBoosterIsRefused() throws Exception {
        Future<LiveBooster> one = rank(this::boostLinear);
        XGBoostGroup.connect(second, TIMEOUT).close();

        assertThatThrownBy(one::get).hasRootCauseMessage("XGBoost does not train the booster gblinear on several ranks together: use gbtree or dart");
    }

    private LiveBooster boostLinear() throws InterruptedException {
        try (XGBoostGroup group = XGBoostGroup.connect(first, TIMEOUT)) {
            return LiveBooster.recover(group, Map.of("booster", "gblinear"), new NoMatrix());
        }
    }

    private static final class NoMatrix extends DMatrix {
        NoMatrix() {
            super(0);
        }
    }
}
