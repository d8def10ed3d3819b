package dev.resiliency.launcher.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.status.Chromium;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that a real agent serves, in a real browser. */
class StatusIT {
    private static final Pattern URL = Pattern.compile("the status page of the job is at (http://\\S+)");

    /** How many points of the map have a colour, within a little. */
    private static final String POINTS = """
            (() => {
              const canvas = document.getElementById('map');
              const colour = document.createElement('canvas').getContext('2d');
              colour.fillStyle = getComputedStyle(canvas).getPropertyValue('--%s').trim();
              const wanted = parseInt(colour.fillStyle.slice(1), 16);
              const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              let points = 0;
              for (let i = 0; i < data.length; i += 4) {
                if ((data[i] << 16 | data[i + 1] << 8 | data[i + 2]) === wanted && data[i + 3] === 255) points++;
              }
              return points;
            })()""";

    @TempDir
    private Path directory;

    @Test
    void killedRankTurnsRedAndIsReplacedWithoutAReload() throws Exception {
        Path end = directory.resolve("end");
        try (Launched agent = Launched.training(
                directory,
                "node",
                end,
                "--nproc-per-node",
                "2",
                "--status-port",
                "0",
                "--startup-time",
                "10m",
                "--backoff",
                "10s:10s")) {
            agent.awaitLine("[rank 1] FOUNDED in a world of 2, generation 0, iteration 0");
            try (Chromium browser = Chromium.openOrSkip(directory, 1200, 900, pageOf(agent))) {
                browser.await("document.getElementById('health').textContent === 'running'");
                browser.await("window.loadedOnce = true");
                browser.await(POINTS.formatted("running") + " > 1000");
                assertThat(browser.evaluate(POINTS.formatted("failed"))).isEqualTo("0");

                agent.rank(1).destroyForcibly();
                browser.await(
                        "document.getElementById('health').textContent === '1 rank down'"
                                + " && document.getElementById('headline').textContent.startsWith('training with 1 of 2 ranks')");
                browser.await(POINTS.formatted("failed") + " > 1000");
                assertThat(browser.evaluate("document.getElementById('attention').innerText"))
                        .contains("rank 1", "failed; ");
                browser.await("document.getElementById('interruptions').innerText.includes('was ended by SIGKILL')");

                browser.await("document.getElementById('health').textContent === 'running'");
                browser.await(POINTS.formatted("failed") + " === 0");
                browser.await(POINTS.formatted("fresh") + " > 100");
                browser.await(
                        "document.getElementById('events').innerText.includes('rank 1: restart 1 of 10 within 1h, in')");
                browser.await("document.getElementById('events').innerText.includes(' after TERMINATED on rank 1 (')");
                assertThat(browser.evaluate("window.loadedOnce")).isEqualTo("true");

                Files.createFile(end);
                assertThat(agent.awaitExit()).as(agent.log()).isZero();
                browser.await("!document.getElementById('banner').hidden");
            }
        }
    }

    /** Returns the address of the page that an agent serves, which it must. */
    static String pageOf(Launched agent) throws Exception {
        agent.awaitLog("the status page of the job is at ");
        Matcher url = URL.matcher(agent.log());
        assertThat(url.find()).isTrue();
        return url.group(1);
    }

    /**
     * Those that send half a request hold the threads of the server for 10 s, and no longer. In a process of its own, as the JDK reads
     * the limits of its servers once, with the first of them.
     */
    @Tag("full")
    @Test
    void clientsThatNeverFinishTheirRequestsAreEnded() throws Exception {
        Path end = directory.resolve("end");
        List<Socket> sockets = new ArrayList<>();
        try (Launched agent =
                Launched.training(directory, "node", end, "--nproc-per-node", "1", "--status-port", "0")) {
            URI page = URI.create(pageOf(agent));
            for (int i = 0; i < 200; i++) {
                Socket slow = new Socket(page.getHost(), page.getPort());
                sockets.add(slow);
                slow.getOutputStream().write("GET / HTTP/1.1\r\nHost: loc".getBytes(UTF_8));
            }

            HttpClient client = HttpClient.newHttpClient();
            HttpRequest job = HttpRequest.newBuilder(page.resolve("job.json"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            await().atMost(Duration.ofMinutes(2))
                    .ignoreExceptions()
                    .until(() -> client.send(job, BodyHandlers.discarding()).statusCode() == 200);

            Files.createFile(end);
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
