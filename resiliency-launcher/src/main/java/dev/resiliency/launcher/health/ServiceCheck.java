package dev.resiliency.launcher.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Asks the node health service, which a cluster runs on each node. Only an answer that says so makes a node unhealthy: a service
 * that is not there, or does not answer in time, is no fault of the node.
 */
final class ServiceCheck implements HostCheck {
    private static final String SUBJECT = "node health service";
    private static final String SKIPPED = ", so its check is skipped";

    private final Path socket;
    private final Duration limit;

    ServiceCheck(Path socket, Duration limit) {
        this.socket = socket;
        this.limit = limit;
    }

    /**
     * What the service answers; the fields of {@code HealthCheckResponse} in nvhcd.proto.
     *
     * @param output JSON with {@code fail_count}
     */
    record Answer(boolean success, int exitCode, String output, String error) {}

    @Override
    public Finding run() throws InterruptedException {
        if (!Files.exists(socket)) {
            return Finding.warning(SUBJECT, "there is no socket " + socket + SKIPPED);
        }
        try {
            return judge(NodeHealthClient.ask(socket, limit));
        } catch (IOException e) {
            return Finding.warning(SUBJECT, "the service at %s %s%s".formatted(socket, e.getMessage(), SKIPPED));
        } catch (LinkageError e) {
            return Finding.warning(
                    SUBJECT,
                    "gRPC cannot be used (%s): add resiliency-launcher-rpc and grpc-netty-shaded to the class path%s"
                            .formatted(Excerpt.of(String.valueOf(e.getMessage())), SKIPPED));
        }
    }

    static Finding judge(Answer answer) {
        String output = Excerpt.of(answer.output());
        if (!answer.success()) {
            return Finding.failure(
                    SUBJECT,
                    "it reports a failure, exit code %d: %s"
                            .formatted(
                                    answer.exitCode(), answer.error().isBlank() ? output : Excerpt.of(answer.error())));
        }
        OptionalLong failures = FailCount.read(answer.output());
        if (failures.isEmpty()) {
            return Finding.failure(SUBJECT, "its answer is no JSON object with a fail_count: '%s'".formatted(output));
        }
        return failures.getAsLong() == 0
                ? Finding.ok(SUBJECT, "it reports no failed check")
                : Finding.failure(SUBJECT, "it reports %d failed checks: %s".formatted(failures.getAsLong(), output));
    }
}
