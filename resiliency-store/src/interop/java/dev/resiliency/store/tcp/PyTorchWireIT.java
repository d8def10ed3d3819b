package dev.resiliency.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Captures conversations of PyTorch's client and server, against which the codec is tested without them. */
class PyTorchWireIT {
    private static final String CAPTURE = "pytorch-2.10.txt";
    private static final String KEY_COUNT = "07";
    private static final int NUMBER_DIGITS = 16;
    private static final int NONCE_DIGITS = 8;

    private final List<String> lines = new ArrayList<>();

    private interface Step {
        void run();
    }

    @Test
    void captureMatchesPyTorch() throws Exception {
        try (PyTorchStore server = PyTorchStore.serve();
                RecordingProxy proxy = new RecordingProxy(server.port())) {
            try (PyTorchStore client = PyTorchStore.connect(proxy.port())) {
                RecordingProxy.Recording opening = proxy.take();
                // The nonce differs each time.
                add("connect", opening.requests().substring(0, opening.requests().length() - NONCE_DIGITS), "");
                unanswered(proxy, client, "set", () -> client.set("key", "text"));
                answered(proxy, "get", () -> client.get("key"));
                answered(proxy, "add", () -> client.add("counter", -2));
                answered(proxy, "compareSet", () -> client.compareSet("key", "text", "other"));
                answered(proxy, "check", () -> client.check(List.of("key", "missing")));
                answered(proxy, "wait", () -> client.await(List.of("key", "counter"), Duration.ofSeconds(9)));
                answered(proxy, "wait that times out", () -> assertThatThrownBy(
                        () -> client.await(List.of("missing"), Duration.ofMillis(50))));
                unanswered(proxy, client, "append", () -> client.append("key", "é"));
                answered(proxy, "getNumKeys", client::keyCount);
                unanswered(proxy, client, "queuePush", () -> client.queuePush("queue", "value"));
                answered(proxy, "queueLen", () -> client.queueLength("queue"));
                answered(proxy, "queuePop", () -> client.queuePop("queue", true));
                answered(proxy, "queuePop of an empty queue", () -> assertThatThrownBy(() -> client.queuePop("queue", false)));
                answered(proxy, "deleteKey", () -> client.delete("counter"));
                answered(proxy, "listKeys", client::keys);
            }
        }

        Files.write(Path.of("target", CAPTURE), lines);
        assertThat(lines).isEqualTo(captured());
    }

    private void answered(RecordingProxy proxy, String name, Step step) {
        step.run();
        RecordingProxy.Recording recording = proxy.take();
        add(name, recording.requests(), recording.answers());
    }

    /**
     * Captures a request without an answer: the client sends another one after it, whose answer shows that both have
     * arrived.
     */
    private void unanswered(RecordingProxy proxy, PyTorchStore client, String name, Step step) {
        step.run();
        client.keyCount();
        RecordingProxy.Recording recording = proxy.take();
        String requests = recording.requests();
        assertThat(requests).endsWith(KEY_COUNT);
        add(
                name,
                requests.substring(0, requests.length() - KEY_COUNT.length()),
                recording.answers().substring(NUMBER_DIGITS));
    }

    private void add(String name, String requests, String answers) {
        lines.add("%s | %s | %s".formatted(name, requests, answers).strip());
    }

    private static List<String> captured() throws Exception {
        try (InputStream in =
                Objects.requireNonNull(PyTorchWireIT.class.getResourceAsStream("internal/pytorch/" + CAPTURE))) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        }
    }
}
