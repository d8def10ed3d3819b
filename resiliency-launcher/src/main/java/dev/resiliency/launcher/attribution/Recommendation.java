package dev.resiliency.launcher.attribution;

/**
 * What an attribution service says about a cycle.
 *
 * @param action {@code STOP}, {@code RESTART}, {@code CONTINUE}, {@code UNKNOWN} or {@code TIMEOUT}
 * @param reason for people; may be empty
 * @param source which part of the service, or of this program, has said so
 */
record Recommendation(String action, String reason, String source) {
    /** The action by which a service says that another start would fail as well. */
    static final String STOP = "STOP";
}
