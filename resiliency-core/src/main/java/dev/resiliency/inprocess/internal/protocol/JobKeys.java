package dev.resiliency.inprocess.internal.protocol;

/**
 * The names of a job's keys: those of the job itself, and those of one of its generations. The table in the package
 * documentation describes their contents.
 */
final class JobKeys {
    /** The iteration before the first. */
    static final int BEFORE_FIRST = -1;

    static final String GENERATION = "generation";
    static final String FINISHED = "finished";
    static final String MOVED = "moved";

    private final String prefix;

    JobKeys(Generation generation) {
        prefix = prefixOf(generation.number());
    }

    /** Returns the prefix of all keys of a generation. */
    static String prefixOf(int generation) {
        return generation + "/";
    }

    String job() {
        return prefix + "job";
    }

    String run() {
        return prefix + "run";
    }

    String terminated() {
        return prefix + "terminated";
    }

    String termination() {
        return prefix + "termination";
    }

    String host() {
        return prefix + "host";
    }

    String claim(int rank) {
        return prefix + "ranks/" + rank;
    }

    String groupKeys(int rank) {
        return prefix + "keys/" + rank;
    }

    /** Returns the counter of the numbers that were given to joiners. */
    String ids() {
        return prefix + "ids";
    }

    String joined() {
        return prefix + "joined";
    }

    String admitted(int rank) {
        return prefix + "admitted/" + rank;
    }

    /** Returns the set of ranks that are to leave on purpose. */
    String leaving() {
        return prefix + "leaving";
    }

    String latest() {
        return prefix + "latest";
    }

    String promised() {
        return prefix + "promised";
    }

    String broken() {
        return prefix + "broken";
    }

    /** Returns where a rank would host the store. */
    String seat(int rank) {
        return prefix + "seats/" + rank;
    }

    /** Returns the seats of those that host the store next, as the latest decision names them. */
    String latestSuccessors() {
        return prefix + "successors";
    }

    /** Returns the set of voters that accept whatever is decided next. */
    String ceded() {
        return prefix + "ceded";
    }

    /** Returns the seats of those that host the store next. */
    String successors(int k) {
        return key(k, "successors");
    }

    /** Returns the barrier of the members of the iteration before that have accepted the world of {@code k}. */
    String entered(int k) {
        return key(k, "entered");
    }

    /** Returns the barrier of the members that have accepted the completion of {@code k}. */
    String acknowledged(int k) {
        return key(k, "acknowledged");
    }

    String outcome(int k) {
        return key(k, "outcome");
    }

    String records(int k) {
        return key(k, "records");
    }

    String completed(int k) {
        return key(k, "completed");
    }

    /** Returns the step at which all ranks stop in {@code k}. */
    String safePoint(int k) {
        return key(k, "safepoint");
    }

    /** Returns the barrier of the active members that have stopped at that step. */
    String safe(int k) {
        return key(k, "safe");
    }

    /** Returns the set of active members that have made a step in {@code k}. */
    String begun(int k) {
        return key(k, "begun");
    }

    /** Returns the claim of the step at which the functions begin in {@code k}. */
    String beginning(int k) {
        return key(k, "beginning");
    }

    /** Returns the set of members that had paused their hang protection in {@code k} before they made a step. */
    String paused(int k) {
        return key(k, "paused");
    }

    /** Returns the set of those that have resumed it. */
    String resumed(int k) {
        return key(k, "resumed");
    }

    /** Returns the set of members that have made no progress for a while before all had made a step in {@code k}. */
    String stalled(int k) {
        return key(k, "stalled");
    }

    /** Returns the iteration barrier at the end of {@code k}. */
    String stopped(int k) {
        return k == BEFORE_FIRST ? prefix + "initial" : key(k, "stopped");
    }

    String decision(int k) {
        return key(k, "decision");
    }

    /** Returns the leader's announcement that it waits for joiners before it decides {@code k}. */
    String waiting(int k) {
        return key(k, "waiting");
    }

    String world(int k) {
        return key(k, "world");
    }

    String members(int k) {
        return key(k, "members");
    }

    String active(int k) {
        return key(k, "active");
    }

    String state(int k) {
        return key(k, "state");
    }

    String user(int k) {
        return key(k, "user");
    }

    /** Returns the prefix of all keys of an iteration. */
    String prefix(int k) {
        return key(k, "");
    }

    private String key(int k, String name) {
        return prefix + k + "/" + name;
    }
}
