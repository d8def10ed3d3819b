package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.status.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
                directory, "node", end, "--nproc-per-node", "2", "--status-port", "0", "--backoff", "6s:6s")) {
            agent.awaitLine("[rank 1] FOUNDED in a world of 2, generation 0, iteration 0");
            agent.awaitLog("the status page of the job is at ");
            Matcher url = URL.matcher(agent.log());
            assertThat(url.find()).isTrue();
            try (Chromium browser = Chromium.openOrSkip(directory, 1200, 900, url.group(1))) {
                browser.await("document.getElementById('health').textContent === 'running'");
                browser.await("window.loadedOnce = true");
                browser.await(POINTS.formatted("running") + " > 1000");
                assertThat(browser.evaluate(POINTS.formatted("failed"))).isEqualTo("0");

                agent.rank(1).destroyForcibly();
                browser.await("document.getElementById('health').textContent === '1 rank down'");
                browser.await(POINTS.formatted("failed") + " > 1000");
                assertThat(browser.evaluate("document.getElementById('attention').innerText"))
                        .contains("rank 1", "failed; ");
                browser.await("document.getElementById('incidents').innerText.includes('was ended by SIGKILL')");

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
}
