package dev.resiliency.launcher.attribution;

import java.util.OptionalLong;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes facts: gets their numbers at once, since these are their order, and looks for evidence afterwards, on the thread of the
 * attribution. Called by the thread of the agent.
 */
final class FactWriter {
    private final ReportStore store;
    private final Gatherer gatherer;
    private final Queue<Runnable> tasks;
    /** How many facts are not written yet. */
    private final AtomicInteger pending = new AtomicInteger();

    /**
     * Creates a writer.
     *
     * @param tasks run on the thread of the attribution
     */
    FactWriter(ReportStore store, Gatherer gatherer, Queue<Runnable> tasks) {
        this.store = store;
        this.gatherer = gatherer;
        this.tasks = tasks;
    }

    /** Writes a fact, and what is found about the process. A store that is lost has no use for it. */
    void post(Fact fact, @Nullable EndedProcess ended) {
        post(store.nextFact().thenApply(OptionalLong::of), fact, ended);
    }

    /** Writes a fact that several agents may notice, unless another one has. */
    void postOnce(String name, Fact fact) {
        post(store.nextFactOnce(name, UUID.randomUUID().toString()), fact, null);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // handled in its last stage
    private void post(CompletableFuture<OptionalLong> number, Fact fact, @Nullable EndedProcess ended) {
        pending.incrementAndGet();
        number.whenComplete((given, failure) -> {
            if (failure == null && given.isPresent()) {
                tasks.add(() -> write(fact.numbered(given.getAsLong()), ended));
            } else {
                pending.decrementAndGet();
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the store may be lost by now
    private void write(Fact fact, @Nullable EndedProcess ended) {
        Fact complete = fact;
        try {
            complete = ended == null ? fact : fact.with(gatherer.of(ended));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            // Without evidence it is still a fact.
            store.write(complete).whenComplete((done, failure) -> pending.decrementAndGet());
        }
    }

    void noteMember(int number, String who, String node) {
        store.noteMember(number, who, node);
    }

    /** Returns whether a fact is not written yet. */
    boolean isBusy() {
        return pending.get() > 0;
    }
}
