package dev.resiliency.launcher.attribution;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AttributionServiceTest {
    /** Answers each connection by bytes without an end. */
    private static void drip(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept();
                    OutputStream out = socket.getOutputStream()) {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".getBytes(US_ASCII));
                while (true) {
                    out.write('x');
                    out.flush();
                    Thread.sleep(10);
                }
            } catch (IOException closed) {
                // By the client, or by the test.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Test
    void answerThatNeverEndsHasALimit() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> drip(server));
            thread.setDaemon(true);
            thread.start();
            ServiceSettings settings = new ServiceSettings(
                    URI.create("http://127.0.0.1:" + server.getLocalPort()),
                    cycle -> "/logs/train_cycle0.log",
                    false,
                    Duration.ofSeconds(1),
                    false);
            CompletableFuture<String> said = new CompletableFuture<>();

            new AttributionService(settings, Map.of(), Duration.ofMillis(10), Duration.ofMillis(200))
                    .check(said::complete);

            assertThat(said.get(60, TimeUnit.SECONDS)).contains("its answer is not complete after 200ms");
        }
    }

    /** Asks a service that answers questions in this order, the last one again and again; returns what was asked for, too. */
    private static Recommendation ask(
            List<String> requests, Map<String, String> variables, Duration limit, int status, String... answers)
            throws Exception {
        return ask(false, requests, variables, limit, status, answers);
    }

    private static Recommendation ask(
            boolean isOwn,
            List<String> requests,
            Map<String, String> variables,
            Duration limit,
            int status,
            String... answers)
            throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger questions = new AtomicInteger();
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            requests.add((exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body).trim());
            boolean isQuestion = exchange.getRequestMethod().equals("GET");
            String answer = isQuestion ? answers[Math.min(questions.getAndIncrement(), answers.length - 1)] : "{}";
            exchange.sendResponseHeaders(status, answer.length());
            exchange.getResponseBody().write(answer.getBytes(UTF_8));
            exchange.close();
        });
        server.start();
        try {
            ServiceSettings settings = new ServiceSettings(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"),
                    cycle -> "/logs/cycle " + cycle,
                    false,
                    limit,
                    isOwn);
            return new AttributionService(settings, variables, Duration.ofMillis(1), Duration.ofSeconds(60))
                    .ask(report());
        } finally {
            server.stop(0);
        }
    }

    private static CycleReport report() {
        Fact fact = Fact.ofNode(Fact.Kind.NODE_LOST, 3, 0, "n1", "is lost", List.of())
                .numbered(1);
        return CycleReport.of(Incident.of(List.of(fact)), 0, JobHistory.of(1));
    }

    /** Only the service that the launcher runs itself: others may refuse what they do not know. */
    @Test
    void ownServiceLearnsWhatTheReportSays() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();

        ask(true, requests, Map.of(), Duration.ofSeconds(60), 200, "{\"recommendation\":{\"action\":\"STOP\"}}");

        assertThat(requests.get(0))
                .endsWith("\"report\":{\"verdict\":\"HOST_LOST(n1)\",\"suggestion\":\"RESTART\",\"why\":\""
                        + report().why() + "\",\"first\":\"" + report().first()
                        + "\",\"node\":\"n1\",\"isWholeAgain\":false}}");
    }

    private static Recommendation ask(String answer) throws Exception {
        return ask(new CopyOnWriteArrayList<>(), Map.of(), Duration.ofSeconds(60), 200, answer);
    }

    @Test
    void logIsSubmittedOnceAndAskedForUntilThereIsAnAnswer() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();
        Map<String, String> variables =
                Map.of("SLURM_JOB_USER", "ada", "USER", "root", "SLURM_ARRAY_JOB_ID", "17", "SLURM_JOB_ID", "18");

        Recommendation answer = ask(
                requests,
                variables,
                Duration.ofSeconds(60),
                200,
                "{}",
                "no JSON",
                "{\"recommendation\":{\"action\":\"STOP\",\"reason\":\"NaN\",\"source\":\"log\"}}");

        assertThat(answer).isEqualTo(new Recommendation("STOP", "NaN", "log"));
        assertThat(requests)
                .containsExactly(
                        "POST /logs {\"log_path\":\"/logs/cycle 3\",\"user\":\"ada\",\"job_id\":\"17\",\"cycle_id\":3}",
                        "GET /logs?log_path=%2Flogs%2Fcycle+3",
                        "GET /logs?log_path=%2Flogs%2Fcycle+3",
                        "GET /logs?log_path=%2Flogs%2Fcycle+3");
    }

    @Test
    void whatNoVariableNamesIsLeftOut() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();
        String answer = "{\"recommendation\":{\"action\":\"RESTART\"}}";

        ask(requests, Map.of(), Duration.ofSeconds(60), 200, answer);
        ask(requests, Map.of("USER", "root", "SLURM_JOB_ID", "18"), Duration.ofSeconds(60), 200, answer);

        assertThat(requests)
                .filteredOn(line -> line.startsWith("POST"))
                .containsExactly(
                        "POST /logs {\"log_path\":\"/logs/cycle 3\",\"cycle_id\":3}",
                        "POST /logs {\"log_path\":\"/logs/cycle 3\",\"user\":\"root\",\"job_id\":\"18\",\"cycle_id\":3}");
    }

    @Test
    void answerMayBeInTheResultAndHaveAnActionOfALaterRelease() throws Exception {
        assertThat(ask("{\"result\":{\"recommendation\":{\"action\":\"CONTINUE\",\"reason\":\"noise\"}}}"))
                .isEqualTo(new Recommendation("CONTINUE", "noise", ""));
        assertThat(ask("{\"recommendation\":{\"action\":\"PANIC\",\"reason\":\"r\",\"source\":\"s\"}}"))
                .isEqualTo(new Recommendation("UNKNOWN", "r", "s"));
        assertThat(ask("{\"recommendation\":{\"action\":\"STOP\",\"reason\":\"" + "x".repeat(600) + "\"}}")
                        .reason())
                .hasSizeLessThan(510);
    }

    @Test
    void serviceThatDoesNotAnswerInTimeOrFailsGivesNoAdvice() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();

        assertThat(ask(requests, Map.of(), Duration.ofMillis(300), 200, "{}"))
                .isEqualTo(new Recommendation("TIMEOUT", "no answer within 300ms", "launcher"));
        assertThat(ask(requests, Map.of(), Duration.ofSeconds(1), 500, "{}"))
                .isEqualTo(new Recommendation(
                        "UNKNOWN", "no answer within 1s; the last problem: HTTP status 500", "launcher"));
    }
}
