package dev.resiliency.launcher.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.SimulatedJob;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of jobs of several sizes in a real browser; their agents are simulated, by the keys of real ones. */
class StatusPageIT {
    /** Where pictures stay for people to look at; in the directory of the build. */
    private static final Path PICTURES = Path.of("target/status-page");

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init") // start() does
    private TcpStoreServer store;

    @BeforeEach
    void start() throws Exception {
        store = TcpStoreServer.builder().secret(null).start();
        Files.createDirectories(PICTURES);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private TcpStore connect() throws InterruptedException {
        return TcpStore.builder()
                .host(store.host())
                .port(store.port())
                .secret(null)
                .connect();
    }

    @ParameterizedTest
    @CsvSource({"1,2", "8,8", "2048,8"})
    void jobsOfAllSizesAreDrawn(int nodes, int processes) throws Exception {
        int ranks = nodes * processes;
        try (TcpStore agents = connect();
                TcpStore session = connect();
                StatusServer server = StatusServer.start(InetAddress.getLoopbackAddress(), 0, session, "job7", store)) {
            SimulatedJob job = new SimulatedJob(agents, "job7", nodes, processes);
            for (int node = 0; node < nodes; node++) {
                job.train(node, 41_250 + node % 2);
            }
            disturb(job, nodes, processes);
            try (Chromium browser = Chromium.openOrSkip(directory, 1440, 1100, server.url())) {
                browser.await(String.format(
                        Locale.ENGLISH,
                        "document.getElementById('headline').textContent.startsWith('training with %,d of %,d ranks, step 41,251')",
                        nodes == 1 ? 1 : ranks - processes - 1,
                        ranks));
                assertThat(browser.evaluate("document.getElementById('headline').textContent"))
                        .containsPattern(
                                "last interruption [0-9.]+ s ago \\(rank 0 \\(process 5120\\) exited with code 1\\), 1 h 0 min since start");
                // An in-process restart stands on the axis of time, and opens with its phases.
                browser.evaluate(
                        "document.querySelector('.mark-of.in-process').dispatchEvent(new MouseEvent('click'))");
                browser.await("document.querySelector('#interruptions details[open] .phases') !== null");
                assertThat(browser.evaluate("document.querySelector('#interruptions details[open]').innerText")
                                .replaceAll("\\s+", " "))
                        .contains(
                                "EXCEPTION (no route)",
                                "restarted in 14.2 ms",
                                "as rank 3 saw it",
                                "last call 10.1 ms",
                                "wait for the others 3.4 ms");
                // A report and its events are one.
                assertThat(browser.evaluate("document.getElementById('interruptions').innerText")
                                .replaceAll("\\s+", " "))
                        .contains("SEGFAULT(libshard.so) rank 1 on gpu-0000 1 process started again exclude host");
                Thread.sleep(700); // the picture is for people
                browser.screenshot(PICTURES.resolve("light-%d.png".formatted(ranks)));
                browser.prefer("dark");
                Thread.sleep(700);
                browser.screenshot(PICTURES.resolve("dark-%d.png".formatted(ranks)));
                browser.resize(400, 900);
                browser.await("document.documentElement.scrollWidth <= 400");
                Thread.sleep(700);
                browser.screenshot(PICTURES.resolve("phone-%d.png".formatted(ranks)));
                assertThat(browser.text()).contains("rank 1 (process 4712) was ended by SIGSEGV");
                assertThat(browser.evaluate("document.getElementById('sections').innerText")
                                .replaceAll("\\s+", " "))
                        .contains("between heartbeats 212 ms 244 ms 1.9 s –", "backward 121 ms 139 ms 4.1 s 4.5 s");
                assertThat(browser.evaluate("document.querySelectorAll('#sections .near').length"))
                        .isEqualTo("1");
            }
        }
    }

    private static void disturb(SimulatedJob job, int nodes, int processes) throws InterruptedException {
        long hour = 3_600_000;
        for (int node = 0; node < Math.min(nodes, 40); node++) {
            job.event(
                    SimulatedJob.name(node),
                    JobEvent.Kind.NODE_CAME,
                    "node %s has joined".formatted(SimulatedJob.name(node)),
                    hour);
        }
        String first = SimulatedJob.name(0);
        job.event(
                first,
                JobEvent.Kind.IN_PROCESS_RESTART,
                "restarted in 14.2 ms into iteration 1 after EXCEPTION on rank 3 (no route): last call 10.1, abort 0.3, barrier 3.4 ms on rank 3",
                hour / 2);
        job.report(
                1,
                "{\"time\":%d,\"verdict\":\"SEGFAULT(libshard.so)\",\"suggestion\":\"EXCLUDE_HOST\",\"first\":\"rank 1\",\"node\":\"%s\"}"
                        .formatted(System.currentTimeMillis() - hour / 3, first));
        job.event(first, JobEvent.Kind.RANK_ENDED, "rank 1 (process 4712) was ended by SIGSEGV after 7m28s", hour / 3);
        job.event(first, JobEvent.Kind.RESTART, "rank 1: restart 1 of 10 within 1h, in 1s207ms", hour / 3 - 40);
        job.event(
                first,
                JobEvent.Kind.RANK_ENDED,
                "rank 0 (process 5120) exited with code 1 after 12m04s: java.lang.OutOfMemoryError: Java heap space",
                1_900);
        job.event(first, JobEvent.Kind.RESTART, "rank 0: restart 2 of 10 within 1h, in 20s", 1_800);
        long now = System.currentTimeMillis();
        List<RankSnapshot> ranks = new ArrayList<>();
        for (int process = 0; process < processes; process++) {
            ranks.add(job.training(0, process, 41_251));
        }
        ranks.set(0, new RankSnapshot(0, 0, "waiting", 5120, 2, now - 1_900, 41_249, "", 0, now - 1_950, 0, -1));
        ranks.set(
                1,
                new RankSnapshot(1, 1, "running", 4790, 1, now - 20_000, 41_251, "forward", now - 120, now - 80, 1, 1));
        job.publish(0, new NodeSnapshot(now, ranks, SimulatedJob.sections()));
        if (nodes > 1) {
            job.lose(nodes / 3);
        }
    }
}
