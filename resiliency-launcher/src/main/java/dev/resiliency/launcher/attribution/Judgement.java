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
    /** A restart that has not helped so often will not. */
    private static final int ENOUGH = 3;

    /** Copies the list. */
    Judgement {
        evidence = List.copyOf(evidence);
    }

    /** Returns the verdict: {@code SEGFAULT(libshard.so)}. */
    String verdict() {
        return subject.isEmpty() ? cause.name() : cause + "(" + subject + ")";
    }

    /** Returns the same in the light of what was before: what a restart has not removed, and what is the fault of a host. */
    Judgement after(JobHistory history, Incident incident) {
        if (suggestion != Suggestion.RESTART) {
            return this;
        }
        return switch (cause) {
            case USER_EXCEPTION, OUT_OF_HEAP, EXITED -> {
                int times = history.times(verdict()) + 1;
                yield times < ENOUGH
                        ? this
                        : suggesting(
                                Suggestion.STOP,
                                "the same has happened %d times: another restart will not help".formatted(times));
            }
            case SEGFAULT, KILLED, HANG_IN, OUT_OF_MEMORY_KILLED, HOST_LOST -> {
                String against = againstHost(history, incident);
                yield against.isEmpty() ? this : suggesting(Suggestion.EXCLUDE_HOST, against + ": try without it");
            }
            default -> this;
        };
    }

    /** Returns what speaks against the host of the first: nothing if there is no other host, or no first. */
    private String againstHost(JobHistory history, Incident incident) {
        String node = incident.first().node();
        if (history.nodes() < 2 || node.isEmpty() || !incident.tied().isEmpty()) {
            return "";
        }
        int times = history.timesOn(verdict(), node) + 1;
        if (times > 1) {
            return "the same has happened %d times on node %s".formatted(times, node);
        }
        boolean isOfOneHost =
                incident.others().stream().allMatch(each -> each.node().equals(node));
        int ranks = incident.others().size() + 1;
        return isOfOneHost && ranks > 1 && cause != Cause.HOST_LOST
                ? "%d ranks have failed at once, all of them on node %s".formatted(ranks, node)
                : "";
    }

    private Judgement suggesting(Suggestion another, String reason) {
        return new Judgement(cause, subject, another, reason, evidence);
    }
}
