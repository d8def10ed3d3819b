package dev.resiliency.inprocess;

import dev.resiliency.store.Value;
import java.util.List;
import java.util.Map;

/** Reads and checks the name of a job, which is part of its keys in the store and appears in logs. */
final class JobId {
    private static final int LONGEST = 200;
    /** How much of an id that is too long is shown. */
    private static final int SHOWN = 64;

    private static final String OWN = "RESILIENCY_JOB_ID";
    private static final String ARRAY_JOB = "SLURM_ARRAY_JOB_ID";
    private static final String ARRAY_TASK = "SLURM_ARRAY_TASK_ID";

    private JobId() {}

    /**
     * Returns the id that the variables give; blank ones count as not set.
     *
     * @throws IllegalArgumentException if it is not valid; names the variable
     */
    static String from(Map<String, String> variables) {
        if (!isSet(variables, OWN) && isSet(variables, ARRAY_JOB) && isSet(variables, ARRAY_TASK)) {
            return checked(ARRAY_JOB, variables) + "_" + checked(ARRAY_TASK, variables);
        }
        return List.of(OWN, "SLURM_JOB_ID", "TORCHELASTIC_RUN_ID").stream()
                .filter(name -> isSet(variables, name))
                .findFirst()
                .map(name -> checked(name, variables))
                .orElse(Environment.DEFAULT_JOB_ID);
    }

    private static boolean isSet(Map<String, String> variables, String name) {
        return !variables.getOrDefault(name, "").isBlank();
    }

    private static String checked(String name, Map<String, String> variables) {
        return check(name, variables.getOrDefault(name, ""), name.equals(OWN) ? "" : "; " + OWN + " overrides it");
    }

    /**
     * Returns the id if it is valid.
     *
     * @throws IllegalArgumentException otherwise; names {@code source}, ends with {@code advice}
     */
    static String check(String source, String id, String advice) {
        String problem = problemOf(id);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException(
                    source + " is \"" + Value.printable(id, SHOWN) + "\": it must " + problem + advice);
        }
        return id;
    }

    /** Returns what is wrong; empty if the id is valid. */
    private static String problemOf(String id) {
        if (id.isEmpty() || id.length() > LONGEST) {
            return "have 1 to " + LONGEST + " characters";
        }
        if (id.indexOf('/') >= 0) {
            return "not contain '/'";
        }
        boolean hasSpace =
                id.codePoints().anyMatch(each -> Character.isWhitespace(each) || Character.isSpaceChar(each));
        if (hasSpace) {
            return "not contain white space";
        }
        return Value.printable(id, LONGEST).equals(id) ? "" : "be printable";
    }
}
