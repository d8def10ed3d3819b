package dev.resiliency.launcher.attribution.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.resiliency.launcher.attribution.service.Analyses.Analysis;
import dev.resiliency.launcher.attribution.service.LogDirectory.RefusedException;
import dev.resiliency.launcher.http.Origin;
import dev.resiliency.launcher.http.Requests;
import dev.resiliency.launcher.http.ServerLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the protocol of nvidia-resiliency-ext's attribution service: {@code GET /healthz}, {@code POST /logs} and {@code GET /logs}.
 * An error is JSON with {@code error_code} and {@code message}.
 *
 * <p>Threads: {@code resiliency-analysis-server}, which answer requests.
 */
public final class AnalysisServer implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int THREADS = 8;
    private static final int LONGEST_BODY = 1 << 20;
    private static final int OK = 200;
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Of a request to the model, or to whoever receives the verdicts. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final Duration EXPORT_PAUSE = Duration.ofMillis(500);

    private final HttpServer server;
    private final ExecutorService threads;
    private final LogDirectory directory;
    private final AnalysisSettings settings;
    private final Analyses analyses;
    private final @Nullable VerdictExport export;
    private final Origin origin = Origin.ofThisHost();

    private AnalysisServer(HttpServer server, AnalysisSettings settings, Consumer<String> log) throws IOException {
        this.server = server;
        this.settings = settings;
        directory = new LogDirectory(settings.logs());
        Requests requests = new Requests(LIMIT);
        AnalysisSettings.Model model = settings.model();
        export = settings.export() == null ? null : new VerdictExport(settings.export(), requests, EXPORT_PAUSE, log);
        analyses = new Analyses(
                model == null ? null : new LanguageModel(model.base(), model.name(), model.keyFile(), requests),
                export,
                log);
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "resiliency-analysis-server");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts the server.
     *
     * @param log receives what happens, on any thread
     * @throws IOException if the address or the directory cannot be used; says which
     */
    public static AnalysisServer start(InetSocketAddress address, AnalysisSettings settings, Consumer<String> log)
            throws IOException {
        ServerLimits.set();
        HttpServer server;
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new IOException(
                    "the attribution service cannot listen at %s:%d: %s"
                            .formatted(address.getHostString(), address.getPort(), e.getMessage()),
                    e);
        }
        AnalysisServer started;
        try {
            started = new AnalysisServer(server, settings, log);
        } catch (IOException e) {
            server.stop(0);
            throw new IOException("the logs in %s cannot be read: %s".formatted(settings.logs(), e), e);
        }
        server.setExecutor(started.threads);
        server.createContext("/", started::handle);
        server.start();
        return started;
    }

    /** Returns the port at which it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            String path = exchange.getRequestURI().getPath();
            String method = exchange.getRequestMethod();
            if (!origin.isOwnHost(exchange.getRequestHeaders()) || !origin.isOwnPage(exchange.getRequestHeaders())) {
                throw new RefusedException(403, "forbidden", "the request comes from another page");
            } else if (path.equals("/healthz") && method.equals("GET")) {
                send(exchange, OK, health());
            } else if (path.equals("/logs") && method.equals("POST")) {
                send(exchange, OK, submit(exchange));
            } else if (path.equals("/logs") && method.equals("GET")) {
                send(exchange, OK, result(directory.file(parameter(exchange, "log_path"))));
            } else {
                throw new RefusedException(404, "not_found", "there is no " + method + " " + path);
            }
        } catch (RefusedException e) {
            send(exchange, e.status(), error(e.code(), String.valueOf(e.getMessage())));
        } catch (RejectedExecutionException e) {
            send(exchange, 503, error("job_limit_reached", "too many logs wait to be read"));
        } finally {
            exchange.close();
        }
    }

    private ObjectNode health() {
        AnalysisSettings.Model model = settings.model();
        ObjectNode health =
                JSON.createObjectNode().put("status", "ok").put("model", model == null ? "none" : model.name());
        if (export != null) {
            health.put("exported", export.sent()).put("not_exported", export.failed());
        }
        return health;
    }

    private ObjectNode submit(HttpExchange exchange) throws IOException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
        if (type == null || !type.startsWith("application/json") || body.length > LONGEST_BODY) {
            throw new RefusedException(400, "invalid_parameter", "send application/json, of 1 MiB at most");
        }
        JsonNode request;
        try {
            request = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new RefusedException(400, "invalid_parameter", "the request is no JSON");
        }
        Submission submission = Submission.of(request);
        Path file = directory.file(submission.log());
        return answer(file, analyses.submit(file, submission));
    }

    private ObjectNode result(Path file) throws RefusedException {
        Analysis analysis = analyses.of(file);
        if (analysis == null) {
            throw new RefusedException(404, "not_found", file + " was not submitted");
        }
        return answer(file, analysis);
    }

    private static ObjectNode answer(Path file, Analysis analysis) {
        Advice verdict = analysis.verdict();
        ObjectNode answer = JSON.createObjectNode()
                .put("mode", "single")
                .put("status", verdict == null ? "pending" : "completed")
                .put("log_path", file.toString())
                .put("result_id", analysis.id());
        if (verdict != null) {
            answer.put("module", "resiliency");
            answer.putObject("result").put("attribution", verdict.reason());
            answer.putObject("recommendation")
                    .put("action", verdict.action().name())
                    .put("reason", verdict.reason())
                    .put("source", verdict.source());
        }
        return answer;
    }

    private static String parameter(HttpExchange exchange, String name) throws RefusedException {
        String query = exchange.getRequestURI().getRawQuery();
        for (String part : query == null ? new String[0] : query.split("&", -1)) {
            if (part.startsWith(name + "=")) {
                return URLDecoder.decode(part.substring(name.length() + 1), UTF_8);
            }
        }
        throw new RefusedException(400, "invalid_parameter", name + " is missing");
    }

    private static ObjectNode error(String code, String message) {
        return JSON.createObjectNode().put("error_code", code).put("message", message);
    }

    private static void send(HttpExchange exchange, int status, ObjectNode answer) throws IOException {
        byte[] body = JSON.writeValueAsBytes(answer);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** Ends the server at once. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        analyses.close();
        if (export != null) {
            export.close();
        }
    }
}
