package dev.resiliency.launcher.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.launcher.config.Durations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests over HTTP, each with a limit for its whole answer and for the size of that. Safe for use by many threads. */
public final class Requests {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int LONGEST_ANSWER = 1 << 20;
    private static final int OK = 200;
    private static final int NOT_OK = 300;

    private final Duration limit;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(CONNECT).build();

    /** @param limit of each request and its answer */
    public Requests(Duration limit) {
        this.limit = limit;
    }

    /**
     * Sends a request, and returns its answer. The limit of a request of the JDK ends with the head of its answer, so the whole answer
     * has one of its own.
     *
     * @throws IOException if there is none in time, or its status says that the request has failed
     */
    public String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        ByteArrayOutputStream body = new ByteArrayOutputStream(); // written by one thread of the client
        CompletableFuture<HttpResponse<Void>> answer = http.sendAsync(
                request.timeout(limit).build(),
                BodyHandlers.ofByteArrayConsumer(part -> part.ifPresent(bytes -> {
                    body.write(bytes, 0, Math.min(bytes.length, LONGEST_ANSWER - body.size()));
                })));
        try {
            int status = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS).statusCode();
            if (status < OK || status >= NOT_OK) {
                throw new IOException("HTTP status " + status);
            }
            return body.toString(UTF_8);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        } catch (TimeoutException e) {
            throw new IOException("its answer is not complete after " + Durations.format(limit), e);
        } finally {
            answer.cancel(true); // closes the connection
        }
    }
}
