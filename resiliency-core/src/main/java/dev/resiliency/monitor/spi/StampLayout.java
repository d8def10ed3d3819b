package dev.resiliency.monitor.spi;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import java.util.List;

/** The offsets of {@link StampFile}, which describes them. */
final class StampLayout {
    /** "RSTAMP", and the version of the format in the last two bytes. */
    static final long MAGIC = 0x5253_5441_4D50_0008L;

    static final int FORMAT = 0;
    static final int WARM_UP = 8;
    static final int PID = 16;
    static final int OPENED = 24;
    static final int HEARTBEAT = 32;
    static final int STEP = 40;
    static final int LATEST_STEP = 48;
    static final int SECTION_USE = 56;
    static final int ITERATION = 64;
    /** The active rank in the lower half, the initial one in the upper half. */
    static final int RANKS = 72;

    static final int DROPPED = 80;
    static final int CONTROL = 88;
    static final int EVENTS = 96;
    static final int PART = 104;
    static final int MEMORY = 112;
    static final int REASON = 120;
    static final int REASON_SIZE = 392;

    static final int EVENT_RING = REASON + REASON_SIZE;
    static final int EVENT_SLOTS = 8;

    /** Kind, iteration, active ranks before and now, time. */
    static final int EVENT_SIZE = 4 * Long.BYTES;

    static final int SLOT_TABLE = EVENT_RING + EVENT_SLOTS * EVENT_SIZE;
    static final int SLOTS = 64;

    /** The number of the name + 1, or 0 for a free slot, and since when. */
    static final int SLOT_SIZE = 2 * Long.BYTES;

    static final int NAME_TABLE = SLOT_TABLE + SLOTS * SLOT_SIZE;
    static final int NAMES = 64;
    static final int NAME_SIZE = 64;

    static final int TIMING_TABLE = NAME_TABLE + NAMES * NAME_SIZE;
    static final int COUNT = 0;
    static final int SLOWEST_WARM_UP = 8;
    static final int SLOWEST = 16;
    static final int BUCKETS = 24;
    static final int TIMING_SIZE = BUCKETS + Buckets.COUNT * Long.BYTES;

    static final int RESTART_RING = TIMING_TABLE + NAMES * TIMING_SIZE;
    static final int RESTART_SLOTS = 8;
    static final int RESTART_KNOWN_AT = 8;
    static final int RESTART_TOTAL = 16;
    static final int RESTART_PHASES = 24;
    /** The order of the phases. */
    static final List<Phase> PHASES = List.of(Phase.values());

    static final int RESTART_CAUSE = RESTART_PHASES + PHASES.size() * Long.BYTES;
    static final int RESTART_CAUSE_SIZE = 264;

    /** The iteration that has begun + 1, when the interruption was known, total, each phase + 1, and the cause. */
    static final int RESTART_SIZE = RESTART_CAUSE + RESTART_CAUSE_SIZE;

    static final int REACHED = RESTART_RING + RESTART_SLOTS * RESTART_SIZE;

    static final int BEGINNING_RING = REACHED + Long.BYTES;
    static final int BEGINNING_SLOTS = 8;
    static final int STEP_BEFORE = 8;
    static final int FIRST_STEP = 16;
    /** What {@link #ITERATION} was, and the steps + 1. */
    static final int BEGINNING_SIZE = 24;

    static final int SIZE = BEGINNING_RING + BEGINNING_SLOTS * BEGINNING_SIZE;

    /** The numbers of what a rank asks for. */
    static final List<WorkloadAction> ACTIONS =
            List.of(WorkloadAction.CONTINUE, WorkloadAction.EXCLUDE_THIS_NODE, WorkloadAction.SHUTDOWN_WORKLOAD);

    /** The numbers of the parts that a process may have in its job. */
    static final List<JobPart> PARTS = List.of(JobPart.values());

    private StampLayout() {}

    static int slot(int slot) {
        return SLOT_TABLE + slot * SLOT_SIZE;
    }

    static int name(int name) {
        return NAME_TABLE + name * NAME_SIZE;
    }

    static int timing(int name) {
        return TIMING_TABLE + name * TIMING_SIZE;
    }

    static int restart(int iteration) {
        return RESTART_RING + iteration % RESTART_SLOTS * RESTART_SIZE;
    }

    static int phase(int restart, int phase) {
        return restart + RESTART_PHASES + phase * Long.BYTES;
    }

    /** Returns the beginning of the iteration that {@link #ITERATION} stands for. */
    static int beginning(long iteration) {
        return BEGINNING_RING + (int) (iteration % BEGINNING_SLOTS) * BEGINNING_SIZE;
    }

    static int event(long number) {
        return EVENT_RING + (int) (number % EVENT_SLOTS) * EVENT_SIZE;
    }
}
