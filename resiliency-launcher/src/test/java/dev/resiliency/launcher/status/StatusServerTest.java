package dev.resiliency.launcher.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.SimulatedJob;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class StatusServerTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef".getBytes(UTF_8));
    private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\u2028\u0000\"'\\";

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    @SuppressWarnings("NullAway.Init") // start() does
    private TcpStoreServer store;

    @SuppressWarnings("NullAway.Init") // start() does
    private TcpStore session;

    @SuppressWarnings("NullAway.Init") // start() does
    private TcpStore agents;

    @SuppressWarnings("NullAway.Init") // start() does
    private StatusServer server;

    @SuppressWarnings("NullAway.Init") // start() does
    private SimulatedJob job;

    @BeforeEach
    void start() throws Exception {
        start(SECRET);
    }

    private void start(Secret secret) throws Exception {
        store = TcpStoreServer.builder().secret(secret).start();
        session = connect(secret);
        agents = connect(secret);
        job = new SimulatedJob(agents, "job7", 2, 4);
        server = StatusServer.start(InetAddress.getLoopbackAddress(), 0, session, "job7", store);
        await().until(() -> json("job.json").path("status").path("nodes").size() == 2);
    }

    private TcpStore connect(Secret secret) throws InterruptedException {
        return TcpStore.builder()
                .host(store.host())
                .port(store.port())
                .secret(secret)
                .connect();
    }

    @AfterEach
    void stop() {
        server.close();
        agents.close();
        session.close();
        store.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path)).timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private JsonNode json(String path) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(get(path).body());
    }

    private HttpResponse<String> act(String action, String body, Map<String, String> headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request("actions/" + action)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static Map<String, String> token() {
        return Map.of(
                "Authorization",
                "Bearer " + ActionToken.of(SECRET.key(), "job7").text());
    }

    @Test
    void pageHasNoScriptButItsOwn() throws Exception {
        for (String path : List.of(
                "",
                "page.css",
                "page.js",
                "map.js",
                "job.js",
                "interruptions.js",
                "timeline.js",
                "actions.js",
                "text.js")) {
            HttpResponse<String> page = get(path);
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(page.body()).doesNotContain("https://", "innerHTML", "document.write", "eval(", "outerHTML");
        }
        assertThat(get("../../etc/passwd").statusCode()).isEqualTo(404);
        assertThat(get("StatusServer.class").statusCode()).isEqualTo(404);
    }

    @Test
    void restartInTheProcessesHasItsPhases() throws Exception {
        job.event(
                "gpu-0000",
                JobEvent.Kind.IN_PROCESS_RESTART,
                "restarted in 14.2 ms into iteration 3 after EXCEPTION on rank 2 (no route): last call 10.1, abort 0.3 ms on rank 0",
                0);
        await().until(() -> json("job.json").path("events").size() == 1);

        JsonNode restart = json("job.json").path("events").get(0).path("restart");
        assertThat(restart.path("iteration").asInt()).isEqualTo(3);
        assertThat(restart.path("total").asDouble()).isEqualTo(14.2);
        assertThat(restart.path("fault").asBoolean()).isTrue();
        assertThat(restart.path("who").asText()).isEqualTo("rank 0");
        assertThat(restart.path("cause").asText()).isEqualTo("EXCEPTION on rank 2 (no route)");
        assertThat(restart.path("phases").toString()).isEqualTo("{\"last call\":10.1,\"abort\":0.3}");
        assertThat(json("job.json").path("status").path("worldSize").asInt()).isEqualTo(8);
    }

    @Test
    void stepsThatTheJobHasComeToAreKept() throws Exception {
        await().untilAsserted(() -> {
            job.train(0, 41_250); // until it is new to the server
            assertThat(json("job.json").path("steps").path(0).path(1).asLong()).isEqualTo(41_250);
        });
    }

    @Test
    void hostileTextsStayTexts() throws Exception {
        job.event(HOSTILE, JobEvent.Kind.RANK_ENDED, HOSTILE, 0);
        job.report(1, "{\"verdict\":\"</script>\",\"evidence\":[\"<b>\"]}");
        job.report(2, "{\"verdict\":1},\"canAct\":true,{\"a\":1}");
        job.report(3, "no JSON");
        job.train(0, 1);
        job.publish(1, new NodeSnapshot(1, List.of(RankSnapshot.of(0, 4, HOSTILE, 1, 0, 1)), List.of()));
        await().until(() -> json("job.json").path("ranks").size() == 2
                && json("job.json").path("reports").size() == 2);

        JsonNode update = json("job.json");
        assertThat(update.path("events").get(0).path("text").asText())
                .isEqualTo(HOSTILE.replace("\u2028", "\\u2028").replace("\0", "\\u0000"));
        assertThat(update.path("ranks").path("1").get(0).get(2).asText()).isEqualTo(HOSTILE);
        assertThat(update.path("reports").get(0).path("content").path("verdict").asText())
                .isEqualTo("</script>");
        assertThat(update.path("reports").get(1).path("content").size()).isEqualTo(1);
    }

    @Test
    void streamSendsWhatChanges() throws Exception {
        try (InputStream stream = client.send(request("updates").build(), BodyHandlers.ofInputStream())
                .body()) {
            assertThat(readUntil(stream, "\"first\":true")).contains("\"gpu-0001\"");
            job.event("gpu-0000", JobEvent.Kind.RANK_ENDED, "rank 1 has failed", 0);
            assertThat(readUntil(stream, "rank 1 has failed")).contains("\"first\":false");
        }
    }

    private static String readUntil(InputStream stream, String text) throws IOException {
        StringBuilder read = new StringBuilder();
        byte[] buffer = new byte[4096];
        while (read.indexOf(text) < 0 || read.indexOf("\n\n", read.indexOf(text)) < 0) {
            int count = stream.read(buffer);
            assertThat(count).as(read.toString()).isPositive();
            read.append(new String(buffer, 0, count, UTF_8));
        }
        return read.toString();
    }

    @Test
    void actionsNeedTheToken() throws Exception {
        assertThat(act("restart", "{}", Map.of()).statusCode()).isEqualTo(401);
        for (String wrong : List.of("Bearer ", "Bearer x", "Basic abc", "Bearer " + "0".repeat(64))) {
            assertThat(act("restart", "{}", Map.of("Authorization", wrong)).statusCode())
                    .isEqualTo(401);
        }
        assertThat(act("restart", "{}", token()).body()).contains("all ranks start again in cycle 1");
        assertThat(act("drain", "{\"node\":\"gpu-0001\"}", token()).body()).contains("is asked to leave");
        assertThat(act("drain", "{\"node\":\"gpu-0007\"}", token()).statusCode())
                .isEqualTo(409);
        assertThat(act("drain", "{}", token()).body()).contains("'node' is missing");
        assertThat(act("scale", "{\"min\":1,\"max\":2}", token()).body()).contains("nnodes is 1:2 from now on");
        assertThat(act("scale", "{\"min\":\"x\",\"max\":2}", token()).statusCode())
                .isEqualTo(400);
        assertThat(act("scale", "{\"min\":3,\"max\":2}", token()).statusCode()).isEqualTo(400);
        assertThat(act("rm", "{}", token()).statusCode()).isEqualTo(400);
        assertThat(act("restart", "{".repeat(9000), token()).statusCode()).isEqualTo(413);
        assertThat(get("actions/restart").statusCode()).isEqualTo(405);
    }

    @Test
    void actionsOfOtherPagesAreRefused() throws Exception {
        for (Map.Entry<String, String> foreign : Map.of(
                        "Origin", "http://evil.example",
                        "Sec-Fetch-Site", "cross-site")
                .entrySet()) {
            Map<String, String> headers = new java.util.HashMap<>(token());
            headers.put(foreign.getKey(), foreign.getValue());
            assertThat(act("restart", "{}", headers).statusCode()).isEqualTo(403);
        }
        HttpRequest form = request("actions/restart")
                .header("Authorization", token().get("Authorization"))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(client.send(form, BodyHandlers.ofString()).statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8080,200",
        "localhost:1,200",
        "[::1]:8080,200",
        "evil.example,421",
        "127.0.0.1.evil.example:80,421",
        "'',421"
    })
    void pageOfAnotherNameIsNotServed(String host, int status) throws Exception {
        assertThat(raw("GET /job.json HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status);
    }

    private Socket open() throws IOException {
        URI url = URI.create(server.url());
        Socket socket = new Socket(InetAddress.getByName(url.getHost()), url.getPort());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private String raw(String request) throws IOException {
        try (Socket socket = open()) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readNBytes(16), UTF_8);
        }
    }

    @Test
    void withoutASecretNothingCanBeChanged() throws Exception {
        stop();
        store = TcpStoreServer.builder().secret(null).start();
        session = TcpStore.builder()
                .host(store.host())
                .port(store.port())
                .secret(null)
                .connect();
        agents = TcpStore.builder()
                .host(store.host())
                .port(store.port())
                .secret(null)
                .connect();
        server = StatusServer.start(InetAddress.getLoopbackAddress(), 0, session, "job7", null);

        assertThat(act("restart", "{}", token()).statusCode()).isEqualTo(403);
        assertThat(json("job.json").path("canAct").asBoolean(true)).isFalse();
    }

    @Test
    void manyOpenPagesLeaveRoomForRequests() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                Socket page = open();
                sockets.add(page);
                page.getOutputStream().write("GET /updates HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
                assertThat(page.getInputStream().readNBytes(15)).isEqualTo("HTTP/1.1 200 OK".getBytes(UTF_8));
            }
            assertThat(get("updates").statusCode()).isEqualTo(503);
            assertThat(get("job.json").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void hugeHeadersAreRefused() throws Exception {
        String start = "GET / HTTP/1.1\r\nHost: localhost\r\n";
        String answer;
        try {
            answer = raw(start + "X-Long: " + "a".repeat(100_000) + "\r\n\r\n");
        } catch (IOException closed) {
            answer = "";
        }
        assertThat(answer).doesNotContain("200");
        assertThat(get("job.json").statusCode()).isEqualTo(200);
    }
}
