package dev.resiliency.launcher.health;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Runs an executable that checks this node. It exits with 0 on a healthy one; if it prints a JSON object, that has a field {@code
 * fail_count}, as the checks behind a node health service have it, which is 0.
 */
final class ProgramCheck implements HostCheck {
    private static final String SUBJECT = "node health check";

    private final String program;
    private final Duration limit;
    private final Probe probe;

    /**
     * Creates a check.
     *
     * @param command the executable and its arguments
     */
    ProgramCheck(List<String> command, Duration limit) {
        program = command.get(0);
        this.limit = limit;
        probe = new Probe(command);
    }

    @Override
    public Finding run() throws InterruptedException {
        Probe.Result result;
        try {
            result = probe.run(limit);
        } catch (IOException e) {
            String problem = "%s cannot be run: %s".formatted(program, e.getMessage());
            return Shortage.isCauseOf(e) ? Finding.warning(SUBJECT, problem) : Finding.failure(SUBJECT, problem);
        }
        if (result.isLate()) {
            return Finding.warning(
                    SUBJECT,
                    "%s has not ended within %s, so it is not known whether this node is healthy"
                            .formatted(program, Durations.format(limit)));
        }
        if (!result.isSuccess()) {
            return Finding.failure(
                    SUBJECT,
                    "%s exited with code %d: %s"
                            .formatted(program, result.code().orElse(0), Excerpt.of(result.output())));
        }
        OptionalLong failures = FailCount.read(result.output());
        boolean isJson = result.output().startsWith("{");
        return isJson && failures.orElse(1) != 0
                ? Finding.failure(SUBJECT, "%s reports: %s".formatted(program, Excerpt.of(result.output())))
                : Finding.ok(SUBJECT, program + " has passed");
    }
}
