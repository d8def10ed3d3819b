package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an agent sees of a job of two ranks, in the keys that its ranks write. */
class AgentsJobTest {
    private static final int WORLD_SIZE = 2;
    private final InMemoryStore store = InMemoryStore.create(Duration.ofSeconds(20));
    private final InMemoryStore agent = store.newSession();
    private final OpenWatches watches = new OpenWatches(agent);
    private final LaunchedJob job = LaunchedJob.of(watches, "job7", WORLD_SIZE);
    private final PrefixStore ranks = new PrefixStore("jobs/job7/call-0", store);

    @AfterEach
    void close() {
        store.close();
    }

    private Optional<Identity> enroll(int rank) {
        return new Enrollment(
                        new PrefixStore("jobs/job7/call-0", store.newSession()),
                        rank,
                        WORLD_SIZE,
                        "127.0.0.1",
                        1,
                        Duration.ofSeconds(20),
                        true,
                        OptionalInt.empty())
                .enroll()
                .join();
    }

    @Test
    void jobIsFoundedWhenAllRanksAreClaimed() {
        CompletableFuture<Void> founded = job.founded(Store.FOREVER);

        assertThat(enroll(0))
                .hasValueSatisfying(identity -> assertThat(identity.rank()).isZero());
        assertThat(founded).isNotDone();
        enroll(1);
        assertThat(founded).isCompleted();
        assertThat(job.founded(Store.FOREVER)).isCompleted();
    }

    @Test
    void jobIsFoundedWhenItsFirstWorldIsDecidedWithoutSome() throws Exception {
        CompletableFuture<Void> founded = job.founded(Store.FOREVER);
        enroll(0);
        ranks.compareAndSet("0/latest", Value.empty(), Value.empty()); // as a joiner does that comes early
        assertThat(founded).isNotDone();

        ranks.set("0/latest", Latest.write(0, IndexSet.of(0)));

        assertThat(founded).isCompleted();
    }

    @Test
    void whenAGenerationIsOverTheNextOneMustBeFounded() throws Exception {
        enroll(0);
        enroll(1);
        ranks.set("0/latest", Latest.write(0, IndexSet.range(0, 2)));
        ranks.addToSet("0/terminated", IndexSet.range(0, 2));

        CompletableFuture<Void> founded = job.founded(Store.FOREVER);

        assertThat(founded).isNotDone();
        enroll(0);
        enroll(1);
        assertThat(founded).isCompleted();
        assertThat(ranks.get("generation").text()).startsWith("1 ");
    }

    @Test
    void promiseBeforeTheJobHasBegunIsNotMadeAndDisturbsNoFounder() {
        assertThat(job.promise()).isCompletedWithValue(OptionalInt.empty());

        assertThat(enroll(1))
                .hasValueSatisfying(identity -> assertThat(identity.rank()).isOne());
    }

    @Test
    void promiseIsANumberInTheCurrentGeneration() throws Exception {
        enroll(0);

        assertThat(job.promise()).isCompletedWithValue(OptionalInt.of(WORLD_SIZE));
        assertThat(job.promise()).isCompletedWithValue(OptionalInt.of(WORLD_SIZE + 1));

        assertThat(ranks.members("0/promised")).isEqualTo(IndexSet.range(2, 4));
        agent.abandon();
        assertThat(ranks.members("0/broken")).isEqualTo(IndexSet.range(2, 4));
    }

    @Test
    void completeJobTakesNoPromise() throws Exception {
        enroll(0);
        ranks.batch(Duration.ofSeconds(20), new Operation.AddToSet("finished", IndexSet.of(0)));

        assertThat(job.promise()).isCompletedWithValue(OptionalInt.empty());
        assertThat(ranks.keys("0/promised")).isEqualTo(List.of());
    }

    /** Watches the job; returns what is seen of it, which grows. */
    private List<String> watch() {
        List<String> seen = new ArrayList<>();
        job.watch(new LaunchedJob.Listener() {
            @Override
            public void began(int iteration) {
                seen.add("began " + iteration);
            }

            @Override
            public void interrupted(int iteration, List<Interruption> interruptions) {
                seen.add(iteration + " " + interruptions);
            }
        });
        return seen;
    }

    @Test
    void watcherLearnsWhyIterationsAreInterruptedInTheOrderOfTheStore() throws Exception {
        List<String> seen = watch();
        enroll(0);
        enroll(1);
        ranks.set("0/latest", Latest.write(0, IndexSet.range(0, 2)));
        ranks.append("0/0/records", Value.of("1 EXCEPTION - - no route\n"));
        ranks.append("0/0/records", Value.of("0 TERMINATED - - it died\n"));
        ranks.set("0/latest", Latest.write(1, IndexSet.range(0, 2)));
        ranks.append("0/0/records", Value.of("0 SOFT_TIMEOUT - - too late to matter, but said\n"));
        ranks.set("generation", Value.of("1 100 2"));
        ranks.append("0/1/records", Value.of("1 EXCEPTION - - of a generation that is over\n"));
        ranks.set("1/latest", Latest.write(100, IndexSet.range(0, 2)));

        assertThat(seen)
                .containsExactly(
                        "began 0",
                        "0 [EXCEPTION on rank 1 (no route)]",
                        "0 [EXCEPTION on rank 1 (no route), TERMINATED on rank 0 (it died)]",
                        "began 1",
                        "0 [EXCEPTION on rank 1 (no route), TERMINATED on rank 0 (it died), SOFT_TIMEOUT on rank 0 (too"
                                + " late to matter, but said)]",
                        "1 [EXCEPTION on rank 1 (of a generation that is over)]",
                        "began 100");
    }

    /** Another cause may be recorded until all have stopped, such as the death of a rank. */
    @Test
    void watcherLearnsWhatAFunctionThrewAtTheStopWhenTheNextIterationBegins() throws Exception {
        List<String> seen = watch();
        enroll(0);
        ranks.set("0/latest", Latest.write(0, IndexSet.range(0, 2)));
        ranks.append("0/0/records", Value.of("0 CONNECTION_LOST - - java.io.EOFException\n1 AT_STOP - - NaN\n"));
        ranks.set("0/latest", Latest.write(1, IndexSet.range(0, 2)));
        ranks.set("0/latest", Latest.write(2, IndexSet.range(0, 2)));

        assertThat(seen)
                .containsExactly(
                        "began 0",
                        "0 [CONNECTION_LOST on rank 0 (java.io.EOFException)]",
                        "0 [EXCEPTION on rank 1 (NaN), CONNECTION_LOST on rank 0 (java.io.EOFException)]",
                        "began 1",
                        "began 2");
    }

    @Test
    void watcherKeepsNoWatchOfWhatIsOver() throws Exception {
        job.watch(new LaunchedJob.Listener() {
            @Override
            public void began(int iteration) {}

            @Override
            public void interrupted(int iteration, List<Interruption> interruptions) {}
        });
        for (int generation = 0; generation < 3; generation++) {
            int first = 100 * generation;
            ranks.set("generation", Value.of("%d %d 2".formatted(generation, first)));
            for (int iteration = first; iteration < first + 5; iteration++) {
                ranks.set(generation + "/latest", Latest.write(iteration, IndexSet.range(0, 2)));
            }
        }

        assertThat(watches.keys())
                .extracting(key -> key.substring("jobs/job7/call-0/".length()))
                .containsExactlyInAnyOrder("generation", "2/latest", "2/203/records", "2/204/records");
    }
}
