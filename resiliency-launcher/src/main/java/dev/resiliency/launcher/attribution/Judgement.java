package dev.resiliency.launcher.attribution;

import java.util.List;

/**
 * What a rule has found.
 *
 * @param subject what the cause is about: a library, a section, an exception and its rank; may be empty
 * @param why the suggestion is made, as a sentence without a full stop
 * @param evidence by which it was found, a line each
 */
record Judgement(Cause cause, String subject, Suggestion suggestion, String why, List<String> evidence) {
    /** Copies the list. */
    Judgement {
        evidence = List.copyOf(evidence);
    }

    /** Returns the verdict: {@code SEGFAULT(libshard.so)}. */
    String verdict() {
        return subject.isEmpty() ? cause.name() : cause + "(" + subject + ")";
    }

    /** Returns the same for a cause that has been there before, which a restart has not removed. */
    Judgement again(int times, String node) {
        int enough = 3;
        if (times + 1 < enough || suggestion != Suggestion.RESTART) {
            return this;
        }
        return switch (cause) {
            case USER_EXCEPTION, OUT_OF_HEAP, EXITED ->
                new Judgement(
                        cause,
                        subject,
                        Suggestion.STOP,
                        "the same has happened %d times: another restart will not help".formatted(times + 1),
                        evidence);
            case SEGFAULT, KILLED, HANG_IN, OUT_OF_MEMORY_KILLED ->
                new Judgement(
                        cause,
                        subject,
                        Suggestion.EXCLUDE_HOST,
                        "the same has happened %d times, the last on node %s: try without it"
                                .formatted(times + 1, node),
                        evidence);
            default -> this;
        };
    }
}
