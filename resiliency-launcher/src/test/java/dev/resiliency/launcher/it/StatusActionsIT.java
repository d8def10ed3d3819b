package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.launcher.status.Chromium;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that {@code resiliency status --serve} serves, of a real job, in a real browser that changes the job. */
@Tag("full")
class StatusActionsIT {
    private static final Pattern URL = Pattern.compile("the status page of job default is at (http://\\S+)");
    private static final String SECRET_FILE = "RESILIENCY_STORE_SECRET_FILE";

    @TempDir
    private Path directory;

    private Path secret;
    private String endpoint;

    @BeforeEach
    void prepare() throws IOException {
        secret = Files.createFile(
                directory.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "0123456789abcdef0123456789abcdef");
        endpoint = "127.0.0.1:" + ProcessJob.freePort();
    }

    private Launched agent(int number, Path end) throws IOException {
        return Launched.script(
                directory,
                "node" + number,
                "while ! [ -e '%s' ]; do sleep 0.1; done".formatted(end),
                Map.of(SECRET_FILE, secret.toString()),
                "--nnodes",
                "2",
                "--nproc-per-node",
                "2",
                "--rdzv-endpoint",
                endpoint,
                "--local-addr",
                "127.0.0." + (number + 1));
    }

    private ProcessJob status(String name, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("status", "--rdzv-endpoint", endpoint));
        arguments.addAll(List.of(options));
        return ProcessJob.builder(ResiliencyCommand.class, Files.createDirectories(directory.resolve(name)))
                .javaOptions("-Xmx64m")
                .environment(SECRET_FILE, secret.toString())
                .arguments(arguments.toArray(String[]::new))
                .start();
    }

    private String token() throws Exception {
        try (ProcessJob printing = status("token", "--token")) {
            RankProcess process = printing.rank(0);
            assertThat(process.awaitExit()).as(process.log()).isZero();
            return process.lines().get(0);
        }
    }

    private static String url(RankProcess serving) throws InterruptedException {
        serving.awaitThat("serves", () -> serving.lines().stream().anyMatch(URL.asPredicate()));
        Matcher url = URL.matcher(String.join("\n", serving.lines()));
        assertThat(url.find()).isTrue();
        return url.group(1);
    }

    private static void awaitText(Chromium browser, String element, String text) {
        browser.await("document.getElementById('%s').textContent.includes('%s')".formatted(element, text));
    }

    /** Opens the dialog of an action by a button. */
    private static void open(Chromium browser, String button) throws Exception {
        browser.evaluate("%s.click()".formatted(button));
        browser.await("document.getElementById('dialog').open");
    }

    /** Confirms it with a token, and closes the dialog when the answer is there. */
    private static void confirm(Chromium browser, String token, String answer) throws Exception {
        browser.evaluate("document.getElementById('token').value = '%s'".formatted(token));
        browser.evaluate("document.getElementById('go').click()");
        awaitText(browser, "answer", answer);
        browser.evaluate("document.getElementById('dialog').close()");
    }

    /** Chooses a rank of this node with the keys. */
    private static void choose(Chromium browser, String node) throws Exception {
        browser.await(
                "(document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' })),"
                        + " document.getElementById('inspector').textContent.includes('%s'))".formatted(node));
    }

    @Test
    void pageShowsTheReportOfARealFaultAndChangesTheJobOnlyWithTheToken() throws Exception {
        Path end = directory.resolve("end");
        try (Launched first = agent(0, end);
                Launched second = agent(1, end)) {
            first.rank(0);
            second.awaitLog(" runs rank ");
            try (ProcessJob serving = status("serve", "--serve", "0");
                    Chromium browser = Chromium.openOrSkip(directory, 1200, 900, url(serving.rank(0)))) {
                awaitText(browser, "headline", "training with 4 of 4 ranks");
                browser.evaluate("window.loadedOnce = true");

                first.rank(1).destroyForcibly();
                awaitText(browser, "interruptions", "KILLED(SIGKILL)");
                awaitText(browser, "interruptions", "rank 1 on node0");
                awaitText(browser, "headline", "training with 4 of 4 ranks");

                String restart = "document.getElementById('restart')";
                for (String wrong : List.of("", "0".repeat(64))) {
                    open(browser, restart);
                    confirm(browser, wrong, "the token is wrong");
                }
                assertThat(browser.evaluate("document.getElementById('events').textContent"))
                        .doesNotContain("resiliency restart");

                String token = token();
                open(browser, restart);
                confirm(browser, token, "all ranks start again in cycle ");
                String cycle =
                        browser.evaluate("document.getElementById('answer').textContent.match(/cycle [0-9]+/)[0]");
                awaitText(browser, "events", cycle + ": resiliency restart");
                awaitText(browser, "facts", cycle);
                awaitText(browser, "headline", "training with 4 of 4 ranks");

                open(browser, "document.getElementById('scale')");
                browser.evaluate("document.getElementById('min').value = '1'");
                confirm(browser, token, "nnodes is 1:2 from now on");

                choose(browser, "node1");
                open(browser, "document.querySelector('#inspector button')");
                confirm(browser, token, "node node1 (127.0.0.2) is asked to leave");
                assertThat(second.awaitExit()).as(second.log()).isZero();
                awaitText(browser, "headline", "training with 2 of 4 ranks");
                assertThat(browser.evaluate("window.loadedOnce")).isEqualTo("true");

                Files.createFile(end);
                assertThat(first.awaitExit()).as(first.log()).isZero();
                assertThat(serving.rank(0).awaitExit())
                        .as(serving.rank(0).log())
                        .isZero();
            }
        }
    }
}
