package dev.resiliency.launcher.status;

import com.sun.net.httpserver.HttpExchange;
import dev.resiliency.launcher.rendezvous.JobFeed;
import java.io.IOException;

final class StatusMetrics {
    StatusMetrics(JobFeed feed) {}

    void answer(HttpExchange exchange) throws IOException {
        Response.text(exchange, Response.NOT_FOUND, "");
    }
}
