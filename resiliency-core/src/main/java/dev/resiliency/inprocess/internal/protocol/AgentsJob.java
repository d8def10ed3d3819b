package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The keys of a job that an agent reads and writes: see {@link LaunchedJob}. */
public final class AgentsJob implements LaunchedJob {
    private final SessionStore store;
    private final int worldSize;
    /** Guarded by this: the last will of the session has all promises of a generation. */
    private @Nullable Promises promises;
    /** Guarded by this: the generation of the promises. */
    private @Nullable Generation promised;

    /**
     * Creates the view of a job.
     *
     * @param store a session of the agent, for this alone, with the prefix of the job
     */
    AgentsJob(SessionStore store, int worldSize) {
        this.store = store;
        this.worldSize = worldSize;
    }

    /** See {@link LaunchedJob#of}. */
    public static LaunchedJob of(SessionStore store, String jobId, int worldSize) {
        return new AgentsJob(new PrefixStore(JobPrefix.of(jobId, 0), store), worldSize);
    }

    /** See {@link LaunchedJob#confirmThatItIsOpen}. */
    public static Operation<?> confirmThatItIsOpen(String jobId) {
        return new Operation.Confirm(JobPrefix.of(jobId, 0) + "/" + JobKeys.FINISHED, IndexSet.empty());
    }

    /** See {@link LaunchedJob#generationKey}. */
    public static String generationKey(String jobId) {
        return JobPrefix.of(jobId, 0) + "/" + JobKeys.GENERATION;
    }

    /** See {@link LaunchedJob#foundedAnew}. */
    public static List<Operation<?>> foundedAnew(String jobId, String generation, int iteration, IndexSet lost) {
        Generation before = Generation.read(generation);
        Generation next = before.next(Math.max(iteration, before.firstIteration()));
        String terminated = JobPrefix.of(jobId, 0) + "/" + new JobKeys(next).terminated();
        return List.of(
                new Operation.DeleteAll(JobPrefix.of(jobId, 0) + "/"), // the server may have hosted the job before
                new Operation.Set(generationKey(jobId), Value.of(next.text())),
                new Operation.AddToSet(terminated, lost));
    }

    @Override
    public CompletableFuture<Boolean> hasBegun() {
        return current().thenApply(Optional::isPresent);
    }

    @Override
    public CompletableFuture<Void> founded(Duration limit) {
        return current()
                .thenCompose(generation -> generation.isEmpty()
                        ? founded(Generation.FIRST.number(), limit)
                        : foundingOf(generation.get()).thenCompose(number -> founded(number, limit)));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the stages only pass the outcome on
    private CompletableFuture<Void> founded(int generation, Duration limit) {
        JobKeys keys = new JobKeys(new Generation(generation, 0, 0));
        List<String> claims =
                IntStream.range(0, worldSize).mapToObj(keys::claim).toList();
        CompletableFuture<Void> founded = new CompletableFuture<>();
        // Processes that ask for the latest iteration before there is one leave an empty value.
        Consumer<Change> decided = change -> {
            if (change instanceof Change.Written written && written.value().size() > 0) {
                founded.complete(null);
            }
        };
        store.send(List.of(new Operation.Watch(keys.latest(), decided)));
        CompletableFuture<?> claimed = store.submit(List.of(new Operation.Await(claims)), limit);
        claimed.whenComplete((done, failure) -> {
            if (failure == null) {
                founded.complete(null);
            } else {
                founded.completeExceptionally(failure);
            }
        });
        founded.whenComplete((done, failure) -> {
            claimed.cancel(true);
            store.send(List.of(new Operation.Unwatch(keys.latest(), decided)));
        });
        return founded;
    }

    /**
     * Returns the current generation; empty if the job has not begun. Asks whether there is one first: asking for the value
     * would create the key, which its founders must.
     */
    private CompletableFuture<Optional<Generation>> current() {
        Batch batch = store.batch();
        Handle<Boolean> hasBegun = batch.add(new Operation.Check(List.of(JobKeys.GENERATION)));
        return batch.submit(store.timeout()).thenCompose(results -> {
            if (!results.get(hasBegun)) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            Batch reading = store.batch();
            Handle<Value> generation = reading.add(new Operation.Get(JobKeys.GENERATION));
            return reading.submit(store.timeout())
                    .thenApply(read ->
                            Optional.of(Generation.read(read.get(generation).text())));
        });
    }

    /** Returns the number of the generation that a process founds or joins which starts now. */
    private CompletableFuture<Integer> foundingOf(Generation generation) {
        Batch batch = store.batch();
        Latest.Reading reading = Latest.Reading.in(batch, new JobKeys(generation));
        return batch.submit(store.timeout()).thenApply(results -> {
            boolean isOver = reading.of(results, worldSize).isOver(results.get(reading.terminated()));
            return generation.number() + (isOver ? 1 : 0);
        });
    }

    @Override
    public CompletableFuture<OptionalInt> promise() {
        return current()
                .thenCompose(generation -> isFinished()
                        .thenCompose(finished -> generation.isEmpty() || finished
                                ? CompletableFuture.completedFuture(OptionalInt.empty())
                                : make(generation.get()).thenApply(OptionalInt::of)));
    }

    private CompletableFuture<Boolean> isFinished() {
        Batch batch = store.batch();
        Handle<IndexSet> finished = batch.add(new Operation.Members(JobKeys.FINISHED));
        return batch.submit(store.timeout())
                .thenApply(results -> !results.get(finished).isEmpty());
    }

    @Override
    public void watch(Listener listener) {
        new JobWatch(store, listener).start();
    }

    private synchronized CompletableFuture<Integer> make(Generation generation) {
        Promises current = promises;
        if (current == null || !generation.equals(promised)) {
            current = new Promises(store, generation, worldSize);
            promises = current;
            promised = generation;
        }
        return current.make();
    }
}
