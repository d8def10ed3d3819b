package dev.resiliency.launcher.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.resiliency.testing.Patience;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A headless browser with one page, which is driven by the protocol of its developer tools. */
public final class Chromium implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final Pattern ADDRESS = Pattern.compile("ws://127\\.0\\.0\\.1:(\\d+)/");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final WebSocket socket;
    private final Messages messages;
    private int commands;

    /** Collects the messages of the browser; written by a thread of the client. */
    private static final class Messages implements WebSocket.Listener {
        private final StringBuilder part = new StringBuilder();
        private final BlockingQueue<JsonNode> whole = new LinkedBlockingQueue<>();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                try {
                    whole.add(JSON.readTree(part.toString()));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                part.setLength(0);
            }
            webSocket.request(1);
            return null;
        }
    }

    private Chromium(Process process, WebSocket socket, Messages messages) {
        this.process = process;
        this.socket = socket;
        this.messages = messages;
    }

    /** Opens the page with the browser of this machine, which may write to the directory; skips the test if there is none. */
    public static Chromium openOrSkip(Path directory, int width, int height, String url) throws Exception {
        List<Path> found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .flatMap(path -> NAMES.stream().map(name -> Path.of(path, name)))
                .filter(Files::isExecutable)
                .toList();
        assumeTrue(!found.isEmpty(), "NOT CHECKED: there is no Chromium (Debian: apt-get install chromium)");
        Path log = directory.resolve("browser-log");
        ProcessBuilder builder = new ProcessBuilder(
                        found.get(0).toString(),
                        "--headless",
                        "--no-sandbox", // required when root runs this
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--remote-allow-origins=*",
                        "--user-data-dir=" + directory.resolve("browser"),
                        "--window-size=%d,%d".formatted(width, height),
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("TMPDIR", directory.toString()); // it is killed, and leaves files there
        Process process = builder.start();
        try {
            Awaitility.await()
                    .atMost(Patience.stretch(LIMIT))
                    .until(() -> ADDRESS.matcher(Files.readString(log)).find());
            Matcher address = ADDRESS.matcher(Files.readString(log));
            assertThat(address.find()).isTrue();
            Messages messages = new Messages();
            HttpClient client = HttpClient.newHttpClient();
            String page = pageAddress(client, address.group(1));
            WebSocket socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create(page), messages)
                    .get(30, TimeUnit.SECONDS);
            Chromium chromium = new Chromium(process, socket, messages);
            chromium.send("Page.enable", Map.of());
            chromium.send("Page.navigate", Map.of("url", url));
            return chromium;
        } catch (Exception | Error failure) {
            end(process);
            throw failure;
        }
    }

    private static String pageAddress(HttpClient client, String port) throws IOException, InterruptedException {
        String list = client.send(
                        java.net.http.HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                                .build(),
                        java.net.http.HttpResponse.BodyHandlers.ofString())
                .body();
        for (JsonNode target : JSON.readTree(list)) {
            if (target.path("type").asText().equals("page")) {
                return target.path("webSocketDebuggerUrl").asText();
            }
        }
        throw new AssertionError("the browser has no page: " + list);
    }

    private JsonNode send(String method, Map<String, ?> parameters) throws IOException, InterruptedException {
        int id = ++commands;
        socket.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        while (true) {
            JsonNode message = messages.whole.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(message).as(method).isNotNull();
            if (message.path("id").asInt() == id) {
                assertThat(message.has("error")).as(message.toString()).isFalse();
                return message.path("result");
            }
        }
    }

    /** Returns the value of an expression, as text. */
    public String evaluate(String expression) throws IOException, InterruptedException {
        JsonNode result = send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        assertThat(result.has("exceptionDetails")).as(result.toString()).isFalse();
        return result.path("result").path("value").asText();
    }

    /** Waits until an expression is true. */
    public void await(String expression) {
        Awaitility.await(expression)
                .atMost(Patience.stretch(LIMIT))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(evaluate(expression))
                        .as(() -> expression + "\n" + text())
                        .isEqualTo("true"));
    }

    /** Returns what a reader sees. */
    public String text() {
        try {
            return evaluate("document.body.innerText");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Chooses dark or light colours. */
    public void prefer(String scheme) throws IOException, InterruptedException {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Gives the page another size. */
    public void resize(int width, int height) throws IOException, InterruptedException {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", true));
    }

    /** Writes a picture of the whole page. */
    public void screenshot(Path file) throws IOException, InterruptedException {
        JsonNode result = send("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        Files.write(file, Base64.getDecoder().decode(result.path("data").asText()));
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        socket.abort();
        end(process);
    }
}
