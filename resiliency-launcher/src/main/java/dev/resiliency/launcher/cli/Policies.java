package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.RestartPolicy;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Parses a {@link RestartPolicy}. */
final class Policies {
    /** What nvidia-resiliency-ext calls it, which has no other one. */
    private static final String ANY_FAILED = "any-failed";

    private Policies() {}

    static RestartPolicy parse(String text) {
        if (text.equals(ANY_FAILED)) {
            return RestartPolicy.HARD;
        }
        return Arrays.stream(RestartPolicy.values())
                .filter(policy -> policy.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no --restart-policy '%s': write %s"
                        .formatted(
                                text,
                                Arrays.stream(RestartPolicy.values())
                                        .map(RestartPolicy::toString)
                                        .collect(Collectors.joining(", ")))));
    }
}
