package dev.resiliency.launcher.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.resiliency.launcher.rendezvous.JobFeed;
import dev.resiliency.launcher.rendezvous.JobView;
import dev.resiliency.launcher.status.StepHistory.Point;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

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
    private final StepHistory steps;
    private final boolean canAct;

    EventStream(JobFeed feed, StepHistory steps, boolean canAct) {
        this.feed = feed;
        this.steps = steps;
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
            long seenSteps = 0;
            boolean isFirst = true;
            while (System.nanoTime() < deadline) {
                if (isFirst || feed.awaitChange(seen, SIGN_OF_LIFE)) {
                    JobView view = feed.view(seen);
                    seen = view.version();
                    List<Point> points = steps.after(seenSteps);
                    seenSteps = points.isEmpty()
                            ? seenSteps
                            : points.get(points.size() - 1).time();
                    String update = PageUpdate.json(view, points, isFirst, System.currentTimeMillis(), canAct);
                    write("data: " + update + "\n\n", out);
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
