package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.launcher.health.Finding.Severity;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The node health service, which is a real one in another process. */
class ServiceCheckIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private static Path directory;

    private static Path socket;
    private static ProcessJob server;

    @BeforeAll
    static void serve() throws Exception {
        socket = directory.resolve("nvhcd.sock");
        server = ProcessJob.builder(NodeHealthServer.class, Files.createDirectory(directory.resolve("server")))
                .arguments(socket.toString(), directory.toString())
                .start();
        server.rank(0).awaitLine("serves");
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static Finding ask(String success, String output) throws Exception {
        Files.writeString(directory.resolve("success"), success);
        Files.writeString(directory.resolve("output"), output);
        return new ServiceCheck(socket, LIMIT).run();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "true|{\"fail_count\": 0}|OK|no failed check",
                "true|{\"failed_checks\": [], \"fail_count\": 0, \"nested\": {\"fail_count\": 3}}|OK|no failed check",
                "true|{\"fail_count\": 2, \"failed_checks\": [\"ib\"]}|FAILURE|it reports 2 failed checks: {\"fail_count\"",
                "true|all is well|FAILURE|no JSON object with a fail_count: 'all is well'",
                "true|{\"fail_count\": 0|FAILURE|no JSON object",
                "true|{\"fail_count\": \"0\"}|FAILURE|no JSON object",
                "true|[0]|FAILURE|no JSON object",
                "true|{}|FAILURE|no JSON object",
                "false|{\"fail_count\": 0}|FAILURE|it reports a failure, exit code 1: called with [--no-slurm]"
            })
    void answerDecides(String success, String output, Severity severity, String text) throws Exception {
        Finding finding = ask(success, output);

        assertThat(finding.text()).contains(text);
        assertThat(finding.severity()).as(finding.text()).isEqualTo(severity);
    }

    @Test
    void lateAnswerIsNone() throws Exception {
        Files.deleteIfExists(directory.resolve("output"));

        Finding finding = new ServiceCheck(socket, Duration.ofMillis(300)).run();

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.text()).contains("has not answered within 300ms, so its check is skipped");
    }

    @Test
    void interruptEndsTheWait() throws Exception {
        Files.deleteIfExists(directory.resolve("output"));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> new ServiceCheck(socket, LIMIT).run()).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void missingSocketIsSkipped() throws Exception {
        Finding finding = new ServiceCheck(directory.resolve("none.sock"), LIMIT).run();

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.text()).contains("there is no socket", "none.sock, so its check is skipped");
    }

    @Test
    void socketAtWhichNobodyListensIsSkipped() throws Exception {
        Path dead = directory.resolve("dead.sock");
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(dead));
        }

        Finding finding = new ServiceCheck(dead, LIMIT).run();

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.text()).contains("dead.sock cannot be asked (UNAVAILABLE", "is skipped");
    }

    @Test
    void serviceThatSpeaksAnotherProtocolIsSkipped() throws Exception {
        Path other = directory.resolve("other.sock");
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(other));
            Thread stranger = new Thread(() -> {
                try {
                    channel.accept().close();
                } catch (IOException closed) {
                    // The test has ended.
                }
            });
            stranger.start();

            Finding finding = new ServiceCheck(other, LIMIT).run();

            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            stranger.join();
        }
    }
}
