package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.monitor.spi.StoreNote;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes whose agents, which the test plays, found the store anew: they follow them, with the state that they hold in memory. */
class FollowedStoreIT {
    private static final int RANKS = 2;
    private static final int STEPS = 150;

    @TempDir
    private Path directory;

    private final List<StampFile> stamps = new ArrayList<>();
    private final List<StoreNote> notes = new ArrayList<>();
    private final List<ProcessJob> jobs = new ArrayList<>();
    private TcpStoreServer first;

    @BeforeEach
    void startServer() throws Exception {
        first = TcpStoreServer.builder().start();
    }

    @AfterEach
    void end() throws IOException {
        jobs.forEach(ProcessJob::close);
        first.close();
        for (StampFile each : stamps) {
            each.close();
        }
    }

    private static StoreAddress addressOf(TcpStoreServer server) {
        return new StoreAddress("127.0.0.1", server.port(), "");
    }

    private RankProcess start(int rank) throws Exception {
        Path own = Files.createDirectories(directory.resolve("rank" + rank));
        StampFile file = StampFile.create(own.resolve("p.stamps"), 0);
        stamps.add(file);
        notes.add(StoreNote.create(file, addressOf(first)));
        ProcessJob job = ProcessJob.builder(LiveStateProgram.class, own)
                .worldSize(1)
                .environment("RANK", Integer.toString(rank))
                .environment("WORLD_SIZE", Integer.toString(RANKS))
                .environment("RESILIENCY_JOB_ID", "job")
                .environment(StoreFactory.VARIABLE, addressOf(first).toString())
                .environment(StampFile.VARIABLE, file.path().toString())
                .javaOptions("-Dranks=" + RANKS, "-Dsteps=" + STEPS)
                .limit(Duration.ofSeconds(90))
                .start();
        jobs.add(job);
        return job.rank(0);
    }

    private static String generation(TcpStoreServer server) throws Exception {
        try (TcpStore store = TcpStore.builder().port(server.port()).connect()) {
            return store.get(LaunchedJob.generationKey("job")).text();
        }
    }

    private static void found(TcpStoreServer server, String generation) throws Exception {
        try (TcpStore store = TcpStore.builder().port(server.port()).connect()) {
            Batch batch = store.batch();
            for (Operation<?> each : LaunchedJob.foundedAnew("job", generation, 0, IndexSet.empty())) {
                batch.add(each);
            }
            batch.submit(store.timeout()).get();
        }
    }

    @Test
    void ranksGoOnWithTheirStateWhereTheirAgentsSayThatTheStoreIs() throws Exception {
        List<RankProcess> ranks = List.of(start(0), start(1));
        ranks.get(0).awaitLine("STEP 20");
        String generation = generation(first);
        try (TcpStoreServer second = TcpStoreServer.builder().start()) {
            found(second, generation);

            first.close();
            ranks.get(0)
                    .awaitThat(
                            "waits", () -> ranks.get(0).log().contains("waits for its agent to say where it goes on"));
            for (StoreNote each : notes) {
                each.write(addressOf(second));
            }

            for (RankProcess rank : ranks) {
                assertThat(rank.awaitExit()).as(rank::log).isZero();
                assertThat(rank.log()).contains("goes on in a job of 2 ranks as active rank");
                assertThat(rank.lines()).contains("RESULT " + LiveStateProgram.expected(STEPS));
                assertThat(rank.lines())
                        .filteredOn(line -> line.startsWith("RECOVERED"))
                        .hasSize(2)
                        .last()
                        .asString()
                        .doesNotContain("CHECKPOINT")
                        .endsWith(" 0 lost, RIGHT in iteration 100");
            }
        }
    }
}
