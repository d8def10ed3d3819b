package dev.resiliency.launcher.cli;

import dev.resiliency.inprocess.Environment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a scheduler says of a job in the environment of its nodes. */
final class JobVariables {
    private static final List<String> NODE_RANKS =
            List.of("SLURM_PROCID", "SLURM_NODEID", "GROUP_RANK", "JOB_COMPLETION_INDEX");

    private JobVariables() {}

    /** Returns the name of the job, as its ranks would read it. */
    static String jobId(Map<String, String> variables) {
        Map<String, String> withoutRank = new HashMap<>(variables);
        withoutRank.keySet().removeAll(List.of("RANK", "WORLD_SIZE"));
        return Environment.fromVariables(withoutRank).jobId();
    }

    /**
     * Returns the name of a job, if its ranks would take it.
     *
     * @throws IllegalArgumentException if they would not
     */
    static String check(String jobId) {
        return jobId(Map.of("RESILIENCY_JOB_ID", jobId));
    }

    /** Returns the rank of this node; null if there is none. */
    static @Nullable Integer nodeRank(Map<String, String> variables) {
        for (String name : NODE_RANKS) {
            String value = variables.getOrDefault(name, "");
            if (!value.isBlank()) {
                return number(name, value, "; --node-rank overrides it");
            }
        }
        return null;
    }

    /**
     * Returns the number in a variable.
     *
     * @throws IllegalArgumentException if it is none; names the variable
     */
    static int number(String name, String value) {
        return number(name, value, "");
    }

    private static int number(String name, String value, String advice) {
        try {
            return Integer.parseInt(value.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s is \"%s\": it must be a number%s".formatted(name, value, advice), e);
        }
    }
}
