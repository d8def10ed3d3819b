package dev.resiliency.monitor.spi;

import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a rank had stamped when it was read. Times are those of {@link System#nanoTime}, which is one clock for all processes of a
 * host; each field is as of its own moment of the read.
 *
 * @param pid the process that stamps; 0 before it has opened the file
 * @param opened when it has opened the file; 0 before
 * @param heartbeat when the last heartbeat was; 0 before the first
 * @param isWarmUp whether the next heartbeat still counts as warm-up
 * @param step the last step that was pinged
 * @param reached the step of live state at the last heartbeat
 * @param beginnings at which steps its last eight iterations have begun, oldest first; those without a step are left out
 * @param latest the step of the last ping, in whichever iteration; lower than the highest after a return to a checkpoint
 * @param sectionUse when a section was opened or closed last; 0 before the first
 * @param openSections oldest first
 * @param control what the rank asks for
 * @param iteration of the wrapper, if there is one
 * @param initialRank by which the job knows the process; empty before it is a member, and without a wrapper
 * @param activeRank of the wrapper in that iteration; empty for a reserve, and without a wrapper
 * @param part what it has in a job of wrapped functions
 * @param memory of its process
 * @param dropped how many sections could not be recorded, as too many were open
 * @since 0.1.0
 */
public record RankStamps(
        long pid,
        long opened,
        long heartbeat,
        boolean isWarmUp,
        OptionalLong step,
        OptionalLong reached,
        List<Beginning> beginnings,
        OptionalLong latest,
        long sectionUse,
        List<OpenSection> openSections,
        Control control,
        OptionalInt iteration,
        OptionalInt initialRank,
        OptionalInt activeRank,
        JobPart part,
        MemoryUse memory,
        long dropped) {

    /** Copies the lists. */
    public RankStamps {
        beginnings = List.copyOf(beginnings);
        openSections = List.copyOf(openSections);
    }

    /** Returns whether the rank has sent a heartbeat or opened a section. */
    public boolean hasBegun() {
        return heartbeat != 0 || sectionUse != 0;
    }

    /**
     * Where an iteration has begun; without a wrapper, the process.
     *
     * @param iteration -1 without a wrapper
     * @param before at which step the one before was when it ended; empty if there was none in this process, or it is not known
     * @param first the first step
     */
    public record Beginning(int iteration, OptionalLong before, long first) {}

    /**
     * A section that is open.
     *
     * @param since when it was opened
     * @param isWarmUp whether it is one of the first of its name in this process, whose times are kept apart
     */
    public record OpenSection(String name, long since, boolean isWarmUp) {}

    /**
     * What a rank asks its agent for.
     *
     * @param reason empty if there is none
     */
    public record Control(WorkloadAction action, String reason) {
        /** Nothing was asked for. */
        public static final Control NONE = new Control(WorkloadAction.CONTINUE, "");
    }
}
