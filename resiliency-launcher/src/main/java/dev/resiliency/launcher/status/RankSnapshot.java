package dev.resiliency.launcher.status;

/**
 * What an agent knows of one of its processes. Times are in milliseconds since 1970 on the clock of its host.
 *
 * @param process its number on the node
 * @param rank of the process; {@link #UNKNOWN} for a spare process
 * @param state one word
 * @param pid 0 if it never ran
 * @param restarts how often it was started again
 * @param since when the state began
 * @param step the last one that it has pinged, or else that of its live state; {@link #UNKNOWN} without one
 * @param section the innermost open section; empty if none is
 * @param sectionSince when that was opened
 * @param heartbeat when it has reported last that it lives; 0 if never
 * @param iteration of the {@code Wrapper}; {@link #UNKNOWN} without it
 * @param activeRank of the {@code Wrapper} in that iteration; {@link #UNKNOWN} for a reserve, and without it
 */
public record RankSnapshot(
        int process,
        int rank,
        String state,
        long pid,
        int restarts,
        long since,
        long step,
        String section,
        long sectionSince,
        long heartbeat,
        long iteration,
        int activeRank) {
    /** The state of a process whose wrapper waits until the job takes it in. */
    public static final String JOINING = "joining";

    /** Stands for a number that is not known. */
    public static final int UNKNOWN = -1;

    /** Returns a process of which only its agent knows. */
    public static RankSnapshot of(int process, int rank, String state, long pid, int restarts, long since) {
        return new RankSnapshot(process, rank, state, pid, restarts, since, UNKNOWN, "", 0, 0, UNKNOWN, UNKNOWN);
    }

    /** Returns what people call it, as a process of this node. */
    public String name(int group) {
        return rank == UNKNOWN ? "spare %d.%d".formatted(group, process) : "rank " + rank;
    }

    /** Returns whether both are the same process in the same state, whatever it has done meanwhile. */
    boolean isSameStateAs(RankSnapshot other) {
        return process == other.process
                && rank == other.rank
                && state.equals(other.state)
                && pid == other.pid
                && restarts == other.restarts;
    }
}
