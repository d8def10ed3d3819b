package dev.resiliency.launcher.attribution.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.resiliency.launcher.http.Requests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Posts each verdict to an address, on a thread of its own, three times if need be. One that cannot be posted is logged and counted.
 * Safe for use by many threads.
 *
 * <p>Thread: {@code resiliency-export}.
 */
final class VerdictExport implements AutoCloseable {
    private static final int MOST_WAITING = 256;
    private static final int ATTEMPTS = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI address;
    private final Requests requests;
    private final Duration pause;
    private final Consumer<String> log;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Thread thread = new Thread(this::run, "resiliency-export");

    /** @param pause before the second attempt; twice that before the third */
    VerdictExport(URI address, Requests requests, Duration pause, Consumer<String> log) {
        this.address = address;
        this.requests = requests;
        this.pause = pause;
        this.log = log;
        thread.setDaemon(true);
        thread.start();
    }

    /** Posts a verdict, soon. Never waits. */
    void send(Submission submission, String id, Advice verdict) {
        ObjectNode record = JSON.createObjectNode();
        record.put("result_id", id)
                .put("user", submission.user())
                .put("job_id", submission.jobId())
                .put("cycle_id", submission.cycle())
                .put("log_path", submission.log())
                .put("action", verdict.action().name())
                .put("reason", verdict.reason())
                .put("source", verdict.source())
                .put("time", Instant.now().toString());
        if (!waiting.offer(record.toString())) {
            lose("too many wait to be sent");
        }
    }

    private void lose(String why) {
        log.accept("%d verdicts were not exported to %s; the last: %s"
                .formatted(failed.incrementAndGet(), address.getHost(), why));
    }

    private void run() {
        try {
            while (true) {
                post(waiting.take());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void post(String record) throws InterruptedException {
        Duration before = pause;
        for (int attempt = 1; ; attempt++) {
            try {
                requests.send(HttpRequest.newBuilder(address)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(record, UTF_8)));
                sent.incrementAndGet();
                return;
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    lose(String.valueOf(e.getMessage()));
                    return;
                }
            }
            Thread.sleep(before.toMillis());
            before = before.multipliedBy(2);
        }
    }

    /** Returns how many were posted. */
    long sent() {
        return sent.get();
    }

    /** Returns how many were not. */
    long failed() {
        return failed.get();
    }

    /** Gives up what waits. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
