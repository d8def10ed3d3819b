package dev.resiliency.launcher.health;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The clock of the host of a store. The process that hosts it, an agent or {@code resiliency store}, answers for the clock by keys of
 * the store, as NTP does by messages. A question is a number in a set, its answer a value with that number.
 */
public final class HostClock {
    private static final String COUNTER = "agents-clock/count";
    private static final String QUESTIONS = "agents-clock/questions";
    private static final String ANSWER = "agents-clock/answers/";

    private HostClock() {}

    /**
     * What the clocks differ by.
     *
     * @param ahead of the clock of the host of the store
     * @param uncertainty how far that may be wrong, since the question and the answer took so long
     */
    record Skew(Duration ahead, Duration uncertainty) {}

    /** Answers questions for the clock of this host, for as long as the session lives. */
    @SuppressWarnings("FutureReturnValueIgnored") // who asks has a limit
    public static void serve(SessionStore store) {
        Batch batch = store.batch();
        batch.add(new Operation.Watch(QUESTIONS, change -> {
            if (change instanceof Change.Joined joined) {
                Value now = Value.of(Long.toString(System.currentTimeMillis()));
                joined.members().stream()
                        .forEach(question -> store.send(List.of(new Operation.Set(ANSWER + question, now))));
            }
        }));
        batch.submit(store.timeout());
    }

    /** Asks how far the clock of this host is from that of the host of the store. */
    static CompletableFuture<Skew> ask(SessionStore store, Duration limit) {
        Batch number = store.batch();
        Handle<Long> count = number.add(new Operation.Add(COUNTER, 1));
        return number.submit(limit).thenCompose(results -> {
            int question = Math.toIntExact(results.get(count));
            long begin = System.currentTimeMillis();
            Batch batch = store.batch();
            batch.add(new Operation.AddToSet(QUESTIONS, IndexSet.of(question)));
            Handle<Value> answer = batch.add(new Operation.Get(ANSWER + question));
            batch.add(new Operation.Delete(ANSWER + question));
            return batch.submit(limit)
                    .thenApply(answers ->
                            skew(begin, Long.parseLong(answers.get(answer).text()), System.currentTimeMillis()));
        });
    }

    /** The answer was given at some moment between the question and its arrival: most likely in the middle. */
    static Skew skew(long begin, long answer, long end) {
        long half = (end - begin) / 2;
        return new Skew(Duration.ofMillis(begin + half - answer), Duration.ofMillis(half));
    }
}
