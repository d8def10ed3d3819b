package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.rendezvous.JobView.NodeRanks;
import dev.resiliency.launcher.rendezvous.JobView.Numbered;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What somebody who looks at a job learns, and what has changed when they look again. */
class JobFeedTest {
    private final InMemoryStore store = InMemoryStore.create();
    private final SessionStore keys = NodeSession.storeOf(store.newSession(), "job");
    private final InMemoryStore session = store.newSession();

    @AfterEach
    void close() {
        store.close();
    }

    private JobFeed open() throws Exception {
        new SimulatedJob(store.newSession(), "job", 2, 4);
        return JobFeed.open(session, "job");
    }

    private static List<String> nodes(JobView view) {
        return Objects.requireNonNull(view.status()).nodes().stream()
                .map(each -> "%s %s %s"
                        .formatted(
                                each.node().name(),
                                each.state(),
                                each.seat() == null ? "none" : each.seat().group()))
                .toList();
    }

    @Test
    void jobThatDoesNotExistYetHasNoStatus() {
        JobFeed feed = JobFeed.open(session, "job");

        assertThat(feed.jobId()).isEqualTo("job");
        assertThat(feed.view(0)).isEqualTo(new JobView("job", 0, null, List.of(), List.of(), List.of(), null));
    }

    @Test
    void statusIsThatOfTheJob() throws Exception {
        JobFeed feed = open();
        keys.set(Keys.CYCLE, "3 0 a test");
        keys.set(Keys.seat(3, 0), new Seat(3, 1, 2, 4).text());
        keys.set(Keys.seat(2, 1), new Seat(2, 0, 2, 4).text());
        keys.set(Keys.RESTARTS, "1:a 2:b");
        keys.set(Keys.END, "93 a reason");
        keys.addToSet(Keys.GONE, IndexSet.of(0));
        keys.addToSet(Keys.DONE, IndexSet.of(1));

        JobStatus status = Objects.requireNonNull(feed.view(0).status());

        assertThat(status)
                .returns(new Terms(2, 4, "soft", 0, true), JobStatus::terms)
                .returns(3, JobStatus::cycle)
                .returns(2, JobStatus::restarts)
                .returns("93 a reason", JobStatus::end);
        assertThat(nodes(feed.view(0))).containsExactly("gpu-0000 LOST 1", "gpu-0001 COMPLETED none");
        assertThat(status).as("as control sees it").isEqualTo(new JobControl(store, "job").status());
    }

    @Test
    void statusIsToldAgainOnlyIfItHasChanged() throws Exception {
        JobFeed feed = open();
        long before = feed.view(0).version();
        assertThat(nodes(feed.view(0))).containsExactly("gpu-0000 RUNS 0", "gpu-0001 RUNS 1");
        assertThat(feed.view(before).status()).isNull();
        assertThat(feed.awaitChange(before, Duration.ZERO)).isFalse();

        keys.set(Keys.ranks(0), "[]");
        assertThat(feed.view(before).status()).isNull();
        keys.addToSet(Keys.LEAVING, IndexSet.of(1));
        assertThat(feed.awaitChange(before, Duration.ZERO)).isTrue();
        assertThat(nodes(feed.view(before))).containsExactly("gpu-0000 RUNS 0", "gpu-0001 LEAVES 1");
        keys.set(Keys.node(2), new Node(2, "gpu-0002", "10.0.0.3", 2, "").text());
        keys.set(Keys.seat(0, 2), new Seat(0, 2, 2, 4).text());

        assertThat(nodes(feed.view(before))).containsExactly("gpu-0000 RUNS 0", "gpu-0001 LEAVES 1", "gpu-0002 RUNS 2");
        assertThat(feed.view(feed.view(0).version()).status()).isNull();
    }

    @Test
    void nodeThatComesAndSeatThatIsTakenOrTakenAgainChangeTheStatus() throws Exception {
        JobFeed feed = open();
        long before = feed.view(0).version();
        keys.set(Keys.node(2), new Node(2, "gpu-0002", "10.0.0.3", 2, "").text());
        assertThat(nodes(feed.view(before))).hasSize(3).last().isEqualTo("gpu-0002 RUNS none");

        before = feed.view(0).version();
        keys.set(Keys.seat(0, 2), new Seat(0, 2, 2, 4).text());
        assertThat(nodes(feed.view(before))).last().isEqualTo("gpu-0002 RUNS 2");

        before = feed.view(0).version();
        keys.set(Keys.seat(0, 2), new Seat(0, 1, 2, 4).text());
        assertThat(nodes(feed.view(before))).last().isEqualTo("gpu-0002 RUNS 1");
    }

    @Test
    void whoLooksOnceSeesTheRanksOfThoseThatHaveSaidSomething() throws Exception {
        JobFeed feed = open();
        keys.set(Keys.ranks(1), "[1]");

        JobView view = new JobControl(store, "job").view();

        assertThat(view.status()).isEqualTo(feed.view(0).status());
        assertThat(view.ranks())
                .extracting(NodeRanks::arrival, NodeRanks::json, NodeRanks::isLive)
                .containsExactly(tuple(1, "[1]", false));
    }

    @Test
    void whoWaitsForAChangeIsWokenByIt() throws Exception {
        JobFeed feed = open();
        long before = feed.view(0).version();
        TestThread waiting = new TestThread(() -> feed.awaitChange(before, Duration.ofHours(1)));
        waiting.awaitWaiting();

        keys.set(Keys.ranks(0), "[]");

        assertThat(waiting.result()).isTrue();
        long later = feed.view(0).version();
        TestThread again = new TestThread(() -> feed.awaitChange(later, Duration.ofHours(1)));
        again.awaitWaiting();

        session.abandon();

        assertThat(again.result()).isTrue();
    }

    /** A thread that asks something. */
    private static final class TestThread {
        private final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        private final Thread thread;

        TestThread(Callable<Boolean> question) {
            thread = new Thread(() -> {
                try {
                    answer.complete(question.call());
                } catch (Exception e) {
                    answer.completeExceptionally(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        void awaitWaiting() {
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        }

        boolean result() throws Exception {
            return answer.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void seatOfAnEarlierCycleDoesNotReplaceALaterOne() throws Exception {
        JobFeed feed = open();
        keys.set(Keys.CYCLE, "1 0 a test");
        keys.set(Keys.seat(1, 0), new Seat(1, 1, 2, 4).text());
        keys.set(Keys.seat(1, 1), new Seat(1, 0, 2, 4).text());
        keys.set(Keys.seat(0, 0), new Seat(0, 0, 2, 4).text());
        keys.delete(Keys.seat(0, 1));

        assertThat(nodes(feed.view(0))).containsExactly("gpu-0000 RUNS 1", "gpu-0001 RUNS 0");
    }

    @Test
    void ranksAreThoseThatHaveChangedAndKnowWhetherTheyAreNew() throws Exception {
        keys.set(Keys.ranks(0), "[0]");
        long start = System.currentTimeMillis();
        JobFeed feed = open();
        long before = feed.view(0).version();
        keys.set(Keys.ranks(1), "[1]");

        assertThat(feed.view(0).ranks())
                .extracting(NodeRanks::arrival, NodeRanks::json, NodeRanks::isLive)
                .containsExactly(tuple(0, "[0]", false), tuple(1, "[1]", true));
        assertThat(feed.view(before).ranks())
                .singleElement()
                .satisfies(ranks -> assertThat(ranks.receivedAt()).isBetween(start, System.currentTimeMillis()));
        keys.delete(Keys.ranks(1));
        assertThat(feed.view(0).ranks()).extracting(NodeRanks::arrival).containsExactly(0);
    }

    @Test
    void eventsAreThoseThatAreNewInTheirOrder() throws Exception {
        JobFeed feed = open();
        keys.set(Keys.event(2), JobEvent.write(Instant.EPOCH, "a", JobEvent.Kind.RESTART, "second"));
        long before = feed.view(0).version();
        keys.set(Keys.event(1), JobEvent.write(Instant.EPOCH, "a", JobEvent.Kind.RESTART, "first"));

        assertThat(feed.view(0).events()).extracting(JobEvent::text).containsExactly("first", "second");
        assertThat(feed.view(before).events()).extracting(JobEvent::text).containsExactly("first");
        assertThat(feed.view(before).status()).isNull();
        keys.delete(Keys.event(1));
        assertThat(feed.view(0).events()).extracting(JobEvent::text).containsExactly("second");
    }

    @Test
    void reportsAreTheLatestHundred() throws Exception {
        JobFeed feed = open();
        for (int number = 1; number <= 100; number++) {
            keys.set(Keys.REPORT_PREFIX + number, "report " + number);
        }
        assertThat(feed.view(0).reports()).hasSize(100);
        long before = feed.view(0).version();
        keys.set(Keys.REPORT_PREFIX + 101, "report 101");

        assertThat(feed.view(0).reports()).hasSize(100).startsWith(new Numbered(2, "report 2"));
        assertThat(feed.view(before).reports()).containsExactly(new Numbered(101, "report 101"));
        keys.delete(Keys.REPORT_PREFIX + 101);
        assertThat(feed.view(before).reports()).isEmpty();
    }

    @Test
    void whatAStrangerHasWrittenHidesNothing() throws Exception {
        JobFeed feed = open();
        keys.set(Keys.NODE_PREFIX + "x", "nonsense");
        keys.set(Keys.node(7), "nonsense");
        keys.set(Keys.SEAT_PREFIX + "x", "nonsense");
        keys.set(Keys.EVENT_PREFIX + "x", "nonsense");
        keys.set(Keys.ranks(0), "[0]");

        assertThat(nodes(feed.view(0))).containsExactly("gpu-0000 RUNS 0", "gpu-0001 RUNS 1");
        assertThat(feed.view(0).ranks()).hasSize(1);
    }

    @Test
    void jobOfAnotherReleaseIsSaidToBeOne() throws Exception {
        JobFeed feed = JobFeed.open(session, "job");
        keys.set(Keys.TERMS, "1 2 4 soft 0");

        assertThat(feed.view(0).status()).isNull();
        assertThat(feed.view(0).lost()).contains("the agents speak another version of the protocol: '1 2 4 soft 0'");
    }

    @Test
    void storeThatIsLostIsAChange() throws Exception {
        JobFeed feed = open();
        long before = feed.view(0).version();

        session.abandon();

        assertThat(feed.awaitChange(before, Duration.ZERO)).isTrue();
        assertThat(feed.view(before).lost()).isNotEmpty();
        assertThat(nodes(feed.view(0))).containsExactly("gpu-0000 RUNS 0", "gpu-0001 RUNS 1");
    }

    /** Of two nodes with one seat, the other is gone. */
    @Test
    void seatBelongsToTheNodeThatCameLast() throws Exception {
        new SimulatedJob(store.newSession(), "job", 2, 4);
        assertThat(NodeNames.byGroup(keys, 0).join()).isEqualTo(Map.of(0, "gpu-0000", 1, "gpu-0001"));
        assertThat(NodeNames.byGroup(keys, 1).join()).isEmpty();

        keys.set(Keys.node(2), new Node(2, "again", "10.0.0.3", 2, "").text());
        keys.set(Keys.seat(0, 2), new Seat(0, 1, 2, 4).text());

        assertThat(NodeNames.byGroup(keys, 0).join()).isEqualTo(Map.of(0, "gpu-0000", 1, "again"));
    }
}
