package dev.resiliency.launcher.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.resiliency.launcher.rendezvous.JobFeed;
import dev.resiliency.launcher.rendezvous.JobView;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * Sends a page what changes in a job, as server-sent events, on the thread that handles its request. It ends now and then, so that
 * nobody occupies the thread for ever; the page then asks again.
 */
final class EventStream {
    /** Changes within this time come together. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(10);
    private static final Duration LENGTH = Duration.ofSeconds(90);

    private final JobFeed feed;
    private final boolean canAct;

    EventStream(JobFeed feed, boolean canAct) {
        this.feed = feed;
        this.canAct = canAct;
    }

    /** Sends updates until the end of the stream, or until the client has gone. */
    void send(HttpExchange exchange) throws IOException, InterruptedException {
        Response.addHeaders(exchange, "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(Response.OK, 0);
        long deadline = System.nanoTime() + LENGTH.toNanos();
        try (OutputStream out = exchange.getResponseBody()) {
            write("retry: 500\n\n", out);
            long seen = 0;
            boolean isFirst = true;
            while (System.nanoTime() < deadline) {
                if (isFirst || feed.awaitChange(seen, SIGN_OF_LIFE)) {
                    JobView view = feed.view(seen);
                    seen = view.version();
                    write("data: " + PageUpdate.json(view, isFirst, System.currentTimeMillis(), canAct) + "\n\n", out);
                    isFirst = false;
                    Thread.sleep(PAUSE.toMillis());
                } else {
                    write(": nothing new\n\n", out);
                }
            }
        }
    }

    private static void write(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
    }
}
