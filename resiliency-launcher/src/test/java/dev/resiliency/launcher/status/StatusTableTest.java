package dev.resiliency.launcher.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.JobFeed;
import dev.resiliency.launcher.rendezvous.SimulatedJob;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What 'resiliency status' prints of a job of two nodes with two ranks each. */
class StatusTableTest {
    private static final long HOUR = 3_600_000;
    private static final String END_OF_TWO =
            "restarted in 14.2 ms into iteration 1 after TERMINATED on 2 ranks {2, 3} (its JVM was shut down by SIGTERM): abort 0.3 ms on rank 0";

    @SuppressWarnings("NullAway.Init") // start() does
    private TcpStoreServer store;

    @SuppressWarnings("NullAway.Init") // start() does
    private TcpStore session;

    @SuppressWarnings("NullAway.Init") // start() does
    private SimulatedJob job;

    private final StatusTable table = new StatusTable("job7");
    private final Instant now = Instant.now();

    @BeforeEach
    void start() throws Exception {
        store = TcpStoreServer.builder().secret(null).start();
        session = TcpStore.builder()
                .host(store.host())
                .port(store.port())
                .secret(null)
                .connect();
        job = new SimulatedJob(session, "job7", 2, 2);
    }

    @AfterEach
    void stop() {
        session.close();
        store.close();
    }

    private List<String> lines() {
        JobFeed feed = JobFeed.open(session, "job7");
        await().until(() -> feed.view(0).ranks().size() == 2);
        table.update(feed.view(0));
        return table.lines(now.toEpochMilli());
    }

    private void event(String node, JobEvent.Kind kind, String text, long ago) throws InterruptedException {
        job.event(node, kind, text, now.minusMillis(ago));
    }

    private void restartAfterAFaultAndThenOneThatIsIntended() throws Exception {
        event(
                "gpu-0000",
                JobEvent.Kind.IN_PROCESS_RESTART,
                "restarted in 14.2 ms into iteration 1 after EXCEPTION on rank 2 (no route); 2 ranks followed: abort 0.3 ms on rank 0",
                HOUR);
        event(
                "gpu-0000",
                JobEvent.Kind.IN_PROCESS_RESTART,
                "restarted in 14.2 ms into iteration 2 after SCALE_UP by rank 0 (rank 4 waits): abort 0.3 ms on rank 0",
                HOUR / 2);
    }

    @Test
    void firstComesWhetherItTrainsAndWhatHasInterruptedIt() throws Exception {
        event("gpu-0000", JobEvent.Kind.NODE_CAME, "node gpu-0000 has joined", 2 * HOUR);
        restartAfterAFaultAndThenOneThatIsIntended();
        job.train(0, 19_105);
        job.train(1, 19_104);
        job.lose(1);

        assertThat(lines().get(1))
                .startsWith("training with 2 of 4 ranks, step 19,105, last interruption ")
                .contains(" ago (node gpu-0001 ")
                .contains("), 2h")
                .endsWith(" since start");
    }

    @Test
    void intendedRestartIsNoInterruption() throws Exception {
        restartAfterAFaultAndThenOneThatIsIntended();
        job.train(0, 1);
        job.train(1, 1);

        assertThat(lines().get(1)).contains("last interruption 1h ago (EXCEPTION on rank 2), 1h since start");
    }

    @Test
    void drainOfANodeIsNoInterruption() throws Exception {
        event("control", JobEvent.Kind.DRAIN, "node gpu-0001 is asked to leave", HOUR);
        event("gpu-0001", JobEvent.Kind.NODE_LEFT, "node gpu-0001 has left (drained)", HOUR - 2000);
        event("gpu-0000", JobEvent.Kind.IN_PROCESS_RESTART, END_OF_TWO, HOUR - 1000);
        job.train(0, 1);
        job.train(1, 1);

        assertThat(lines().get(1)).doesNotContain("interruption");
    }

    @Test
    void endOfRanksThatNobodyAskedForIsAnInterruptionAlsoAfterADrain() throws Exception {
        event("control", JobEvent.Kind.DRAIN, "node gpu-0001 is asked to leave", 2 * HOUR);
        event("gpu-0001", JobEvent.Kind.NODE_LEFT, "node gpu-0001 has left (drained)", 2 * HOUR - 2000);
        event("gpu-0000", JobEvent.Kind.IN_PROCESS_RESTART, END_OF_TWO, HOUR);
        job.train(0, 1);
        job.train(1, 1);

        assertThat(lines().get(1)).contains("last interruption 1h ago (TERMINATED on 2 ranks {2, 3})");
    }

    @Test
    void sparesAndReservesCountAsNoRanks() throws Exception {
        List<RankSnapshot> ranks = new ArrayList<>(List.of(job.training(1, 0, 7)));
        ranks.add(new RankSnapshot(1, 3, "running", 1, 1, 1, 7, "", 0, 0, 4, -1));
        ranks.add(new RankSnapshot(2, -1, "running", 1, 1, 1, 7, "", 0, 0, 4, 3));
        ranks.add(new RankSnapshot(3, -1, "running", 1, 1, 1, 7, "", 0, 0, 4, -1));
        ranks.add(RankSnapshot.of(4, -1, "idle", 0, 0, 0));
        ranks.add(RankSnapshot.of(5, 3, RankSnapshot.JOINING, 1, 1, 1));
        job.train(0, 7);
        job.publish(1, new NodeSnapshot(System.currentTimeMillis(), ranks, List.of()));

        List<String> lines =
                lines().stream().map(line -> line.replaceAll(" +", " ")).toList();

        assertThat(lines.get(1)).startsWith("training with 4 of 4 ranks");
        assertThat(lines).anyMatch(line -> line.contains("gpu-0001") && line.contains("2 running, 4 spare"));
        assertThat(lines).anyMatch(line -> line.startsWith(" rank 3 waits"));
        assertThat(lines).anyMatch(line -> line.startsWith(" spare 1.2 running") && line.contains("active rank 3"));
        assertThat(lines).anyMatch(line -> line.startsWith(" spare 1.4 waits"));
    }
}
