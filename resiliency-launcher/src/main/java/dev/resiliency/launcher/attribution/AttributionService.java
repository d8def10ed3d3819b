package dev.resiliency.launcher.attribution;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.http.Requests;
import dev.resiliency.store.spi.guard.Printable;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A client of the attribution service of nvidia-resiliency-ext: submits the log of a cycle, and asks for the answer until there is
 * one. Each submission has a thread of its own, for nobody waits for it.
 *
 * <p>Threads: {@code resiliency-attribution-of-0} for cycle 0, which asks for 10 min at most; {@code
 * resiliency-attribution-health}.
 */
final class AttributionService {
    static final Duration POLL = Duration.ofSeconds(2);
    private static final Duration REQUEST = Duration.ofSeconds(10);
    private static final int LONGEST_REASON = 500;
    private static final Set<String> ACTIONS = Set.of("STOP", "RESTART", "CONTINUE", "UNKNOWN", "TIMEOUT");
    private static final String SELF = "launcher";

    private final ServiceSettings settings;
    private final Map<String, String> variables;
    private final Duration poll;
    private final Requests http;

    AttributionService(ServiceSettings settings) {
        this(settings, System.getenv(), POLL, REQUEST);
    }

    AttributionService(ServiceSettings settings, Map<String, String> variables, Duration poll, Duration limit) {
        this.http = new Requests(limit);
        this.settings = settings;
        this.variables = variables;
        this.poll = poll;
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns whether this agent runs the service. */
    boolean isOwn() {
        return settings.isOwn();
    }

    /** Says once if the service does not answer. */
    void check(Consumer<String> log) {
        start("resiliency-attribution-health", () -> {
            try {
                http.send(HttpRequest.newBuilder(address("/healthz")).GET());
            } catch (IOException e) {
                log.accept("the attribution service at %s does not answer: %s. Reports of this launcher need none"
                        .formatted(settings.endpoint(), e.getMessage()));
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Submits the log of a cycle; the listener receives the answer, on a thread of its own. */
    void submit(CycleReport report, Consumer<Recommendation> listener) {
        start("resiliency-attribution-of-" + report.cycle(), () -> {
            try {
                listener.accept(ask(report));
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Submits a log, and waits for the answer, for a limited time. */
    Recommendation ask(CycleReport report) throws InterruptedException {
        long deadline = System.nanoTime() + settings.limit().toNanos();
        String log = settings.logOf().apply(report.cycle());
        HttpRequest.Builder submission = HttpRequest.newBuilder(address("/logs"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(submission(log, report).toString()));
        HttpRequest.Builder question = HttpRequest.newBuilder(
                        address("/logs?log_path=" + URLEncoder.encode(log, UTF_8)))
                .GET();
        boolean isSubmitted = false;
        String problem = "";
        while (System.nanoTime() - deadline < 0) {
            try {
                if (isSubmitted) {
                    Optional<Recommendation> answer = read(http.send(question));
                    if (answer.isPresent()) {
                        return answer.get();
                    }
                } else {
                    http.send(submission);
                    isSubmitted = true;
                }
                problem = "";
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
            }
            Thread.sleep(poll.toMillis());
        }
        String limit = "no answer within " + Durations.format(settings.limit());
        return problem.isEmpty()
                ? new Recommendation("TIMEOUT", limit, SELF)
                : new Recommendation("UNKNOWN", limit + "; the last problem: " + problem, SELF);
    }

    private URI address(String path) {
        String endpoint = settings.endpoint().toString();
        return URI.create((endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint) + path);
    }

    /** Leaves out what no variable names, as nvidia-resiliency-ext does. */
    private ObjectNode submission(String log, CycleReport report) {
        ObjectNode submission = Json.MAPPER.createObjectNode();
        submission.put("log_path", log);
        first("SLURM_JOB_USER", "USER").ifPresent(user -> submission.put("user", user));
        first("SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID").ifPresent(id -> submission.put("job_id", id));
        submission.put("cycle_id", report.cycle());
        if (settings.isOwn()) {
            submission
                    .putObject("report")
                    .put("verdict", report.verdict())
                    .put("suggestion", report.suggestion())
                    .put("why", report.why())
                    .put("first", report.first())
                    .put("node", report.node())
                    .put("isWholeAgain", report.isWholeAgain());
        }
        return submission;
    }

    private Optional<String> first(String one, String other) {
        return Optional.ofNullable(variables.get(one)).or(() -> Optional.ofNullable(variables.get(other)));
    }

    /** Returns the recommendation; empty if there is none yet. */
    private static Optional<Recommendation> read(String text) throws IOException {
        JsonNode answer;
        try {
            answer = Json.MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IOException("its answer is no JSON", e);
        }
        JsonNode recommendation = answer.path("recommendation");
        if (recommendation.isMissingNode()) {
            recommendation = answer.path("result").path("recommendation");
        }
        String action = recommendation.path("action").asText("");
        if (action.isEmpty()) {
            return Optional.empty();
        }
        String known = ACTIONS.contains(action) ? action : "UNKNOWN";
        String reason = recommendation.path("reason").asText("");
        return Optional.of(new Recommendation(
                known,
                Printable.of(reason, LONGEST_REASON),
                Printable.of(recommendation.path("source").asText(""), LONGEST_REASON)));
    }
}
