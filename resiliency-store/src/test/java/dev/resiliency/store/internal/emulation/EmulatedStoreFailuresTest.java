package dev.resiliency.store.internal.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.store.Change;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.BackgroundLog;
import dev.resiliency.store.spi.EmulatedStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PlainStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Failures in an emulated store, and who must not be affected by them. */
@Timeout(30)
class EmulatedStoreFailuresTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Map<String, Value> values = InMemoryPlainStore.newValues();
    private final PlainStore plain = mock(PlainStore.class, delegatesTo(new InMemoryPlainStore(values)));
    private final List<EmulatedStore> stores = new ArrayList<>();

    private EmulatedStore open() {
        EmulatedStore store = EmulatedStore.builder().build(plain);
        stores.add(store);
        return store;
    }

    @AfterEach
    void close() {
        stores.forEach(EmulatedStore::close);
    }

    private void put(String key, Value value) {
        synchronized (values) {
            values.put(key, value);
        }
    }

    private static String tooLong() {
        return "b/" + "k".repeat(8192);
    }

    // --- what is watched

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unreadableWatchedKeyDelaysNoRequest(boolean isTooLong) throws Exception {
        EmulatedStore store = open();
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watchPrefix("b/", changes::add);

        put(isTooLong ? tooLong() : "b/broken", Contents.complete());
        put("b/z", Value.of("text"));

        assertThat(changes.poll(10, TimeUnit.SECONDS)).isEqualTo(new Change.Written("b/z", Value.of("text")));
        assertThatThrownBy(() -> store.get("missing", SHORT)).isInstanceOf(StoreTimeoutException.class);
    }

    @Test
    void problemWithAWatchedKeyIsLoggedOnceUntilItIsFixed() throws Exception {
        BackgroundLog.flush(Duration.ofSeconds(10)); // lines of earlier tests
        Logger logger = (Logger) LoggerFactory.getLogger(PollingStore.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        EmulatedStore store = open();
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watch("b", changes::add);

        for (int round = 0; round < 2; round++) {
            int said = round + 1;
            put("b", Contents.complete());
            await().until(() -> logged.list.size() == said);
            assertThatThrownBy(() -> store.get("missing", SHORT)).isInstanceOf(StoreTimeoutException.class);
            put("b", Value.of(round));
            assertThat(changes.poll(10, TimeUnit.SECONDS)).isEqualTo(new Change.Written("b", Value.of(round)));
        }
        store.close();
        BackgroundLog.flush(Duration.ofSeconds(10));
        logger.detachAppender(logged);

        assertThat(logged.list)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.getFormattedMessage())
                        .contains("the watched key b", "barrier b was deleted while it was completed"));
    }

    @Test
    void waitIsAnsweredEvenIfKeysCannotBeListed() throws Exception {
        AtomicBoolean isBroken = new AtomicBoolean();
        doAnswer(call -> {
                    if (isBroken.get()) {
                        throw new IllegalStateException("no list");
                    }
                    return List.of();
                })
                .when(plain)
                .keys();
        EmulatedStore store = open();
        store.watchPrefix("b/", change -> {});
        isBroken.set(true);

        assertThatThrownBy(() -> store.get("missing", SHORT)).isInstanceOf(StoreTimeoutException.class);
    }

    // --- errors

    @Test
    void errorEndsOnlyTheRequestThatHitIt() throws Exception {
        OutOfMemoryError full = new OutOfMemoryError("full");
        doThrow(full).when(plain).read(List.of("large"));
        EmulatedStore store = open();

        assertThat(store.submit(List.of(new Operation.Get("large")), LONG))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class)
                .withRootCauseInstanceOf(OutOfMemoryError.class);
        put("small", Value.of("text"));
        assertThat(store.get("small").text()).isEqualTo("text");
    }

    @Test
    void errorDoesNotEndThePolling() throws Exception {
        CountDownLatch errors = new CountDownLatch(1);
        AtomicBoolean isFull = new AtomicBoolean();
        doAnswer(call -> {
                    if (isFull.getAndSet(false)) {
                        errors.countDown();
                        throw new OutOfMemoryError("full");
                    }
                    return new InMemoryPlainStore(values).read(List.of("b"));
                })
                .when(plain)
                .read(List.of("b"));
        EmulatedStore store = open();
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watch("b", changes::add);

        isFull.set(true);
        errors.await();
        put("b", Value.of("text"));

        assertThat(changes.poll(10, TimeUnit.SECONDS)).isEqualTo(new Change.Written("b", Value.of("text")));
    }

    // --- the end

    @Test
    void concurrentClosesLeaveNoRequestWaiting() throws Exception {
        CountDownLatch isClosing = new CountDownLatch(1);
        CountDownLatch mayClose = new CountDownLatch(1);
        doAnswer(call -> {
                    isClosing.countDown();
                    mayClose.await();
                    return null;
                })
                .when(plain)
                .close();
        EmulatedStore store = open();
        CompletableFuture<?> waiting = store.submit(List.of(new Operation.Get("missing")), LONG);

        CompletableFuture<Void> first = CompletableFuture.runAsync(store::close);
        isClosing.await();
        store.close();
        mayClose.countDown();

        assertThat(first).succeedsWithin(LONG);
        assertThat(waiting).failsWithin(LONG).withThrowableThat().withCauseInstanceOf(StoreLostException.class);
    }
}
