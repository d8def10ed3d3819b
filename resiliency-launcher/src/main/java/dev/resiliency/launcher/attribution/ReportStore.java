package dev.resiliency.launcher.attribution;

import dev.resiliency.store.Change;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads and writes the keys that the package documentation describes. Safe for use by many threads. */
public final class ReportStore {
    /** How many reports are kept. */
    static final int MOST_REPORTS = 100;

    private static final int MOST_FACTS = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final String FACTS = "faults";
    private static final String FACT_PREFIX = FACTS + "/";
    private static final String REPORTS = "reports";
    private static final String REPORT_PREFIX = REPORTS + "/";
    private static final Value NOTHING = Value.of("-");

    private final SessionStore store;

    /**
     * Creates the view of a store.
     *
     * @param store with the prefix of the job's agents
     */
    public ReportStore(SessionStore store) {
        this.store = store;
    }

    private static String fact(long number) {
        return FACT_PREFIX + "%012d".formatted(number);
    }

    private static String report(long number) {
        return REPORT_PREFIX + "%012d".formatted(number);
    }

    private static String member(int number) {
        return "members/" + number;
    }

    private static Operation<Value> peek(String key) {
        return new Operation.CompareAndSet(key, NOTHING, NOTHING);
    }

    /** Waits for an answer, for a limited time. */
    static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException failure
                    ? failure
                    : new StoreException(String.valueOf(e.getCause()), e.getCause());
        } catch (TimeoutException e) {
            throw new StoreException("the store has not answered within " + LIMIT.toSeconds() + " s", e);
        }
    }

    /** Returns the number of a new fact: its place in the order of the store. */
    CompletableFuture<Long> nextFact() {
        Batch batch = store.batch();
        Handle<Long> number = batch.add(new Operation.Add(FACTS, 1));
        return batch.submit(store.timeout()).thenApply(results -> results.get(number));
    }

    /** Returns the number of a new fact that several agents may notice; empty if one has. */
    CompletableFuture<OptionalLong> nextFactOnce(String what, String claimant) {
        Batch batch = store.batch();
        batch.add(new Operation.Claim("faults-once/" + what, Value.of(claimant)));
        Handle<Long> number = batch.add(new Operation.Add(FACTS, 1));
        return batch.submit(store.timeout())
                .thenApply(
                        results -> results.ran(number) ? OptionalLong.of(results.get(number)) : OptionalLong.empty());
    }

    /** Returns the number of the latest fact. */
    CompletableFuture<Long> latestFact() {
        Batch batch = store.batch();
        Handle<Long> number = batch.add(new Operation.Add(FACTS, 0));
        return batch.submit(store.timeout()).thenApply(results -> results.get(number));
    }

    CompletableFuture<?> write(Fact fact) {
        Batch batch = store.batch();
        batch.add(new Operation.Set(fact(fact.number()), Value.of(Json.write(fact))));
        batch.add(new Operation.Delete(fact(fact.number() - MOST_FACTS)));
        return batch.submit(store.timeout());
    }

    /** Passes on all facts that are kept, and each new one, on a thread of the store. */
    void watch(Consumer<Fact> listener) {
        store.send(List.of(new Operation.WatchPrefix(FACT_PREFIX, change -> {
            if (change instanceof Change.Written written && written.value().size() > 0) {
                listener.accept(Json.read(written.value().text(), Fact.class));
            }
        })));
    }

    /** Passes on all reports that are kept, each new one, and each that has changed, on a thread of the store. */
    void watchReports(Consumer<CycleReport> listener) {
        store.send(List.of(new Operation.WatchPrefix(REPORT_PREFIX, change -> {
            if (change instanceof Change.Written written && written.value().size() > 0) {
                try {
                    listener.accept(Json.read(written.value().text(), CycleReport.class));
                } catch (IllegalArgumentException foreign) {
                    // A stranger's writing is no report.
                }
            }
        })));
    }

    /** Notes which process has a number in the job that its rank does not tell. */
    void noteMember(int number, String who, String node) {
        store.send(List.of(new Operation.Set(member(number), Value.of(who + "\n" + node))));
    }

    /** Returns what {@link #noteMember} has noted: who and node; null if it has not. */
    String @Nullable [] member(int number, Duration limit) throws InterruptedException {
        Batch batch = store.batch();
        Handle<Value> noted = batch.add(peek(member(number)));
        String text = await(batch.submit(limit)).get(noted).text();
        String[] parts = text.split("\n", 2);
        return parts.length == 2 ? parts : null;
    }

    /** Writes a report, unless another agent has written one of the same facts; returns it with its number, or null. */
    @Nullable
    CycleReport write(CycleReport report, String claimant) throws InterruptedException {
        Batch batch = store.batch();
        batch.add(new Operation.Claim("reports-once/" + report.firstFact(), Value.of(claimant)));
        Handle<Long> number = batch.add(new Operation.Add(REPORTS, 1));
        Batch.Results results = await(batch.submit(store.timeout()));
        if (!results.ran(number)) {
            return null;
        }
        CycleReport numbered = report.numbered(results.get(number));
        replace(numbered);
        return numbered;
    }

    /** Writes a report whose number is known. */
    void replace(CycleReport report) throws InterruptedException {
        Batch batch = store.batch();
        batch.add(new Operation.Set(report(report.number()), Value.of(Json.write(report))));
        batch.add(new Operation.Delete(report(report.number() - MOST_REPORTS)));
        await(batch.submit(store.timeout()));
    }

    /** Returns the reports that are kept, oldest first. */
    public List<CycleReport> reports() throws InterruptedException {
        Batch listing = store.batch();
        Handle<List<String>> keys = listing.add(new Operation.Keys(REPORT_PREFIX));
        List<String> found = await(listing.submit(store.timeout())).get(keys).stream()
                .sorted()
                .toList();
        Batch reading = store.batch();
        List<Handle<Value>> values =
                found.stream().map(key -> reading.add(peek(key))).toList();
        if (found.isEmpty()) {
            return List.of();
        }
        Batch.Results results = await(reading.submit(store.timeout()));
        List<CycleReport> reports = new ArrayList<>();
        for (Handle<Value> value : values) {
            String text = results.get(value).text();
            if (!text.isEmpty()) { // the agent that has written a newer one may just have deleted it
                try {
                    reports.add(Json.read(text, CycleReport.class));
                } catch (IllegalArgumentException foreign) {
                    // A stranger's writing hides no report.
                }
            }
        }
        return reports;
    }
}
