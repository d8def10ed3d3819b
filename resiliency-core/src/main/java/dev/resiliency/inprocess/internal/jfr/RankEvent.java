package dev.resiliency.inprocess.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The fields that all events share: rank, iteration, time and place. Costs almost nothing while no recording runs. The
 * recorder does not see private fields of this class.
 */
@Category({"Resiliency", "In-process restart"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
abstract class RankEvent extends Event {
    @Label("Initial Rank")
    @Description("The rank that the launcher gave the process or, if it joined later, its number; never changes")
    int initialRank;

    @Label("Iteration")
    @Description("It only grows in the life of a job: 0 the first time")
    int iteration;

    @Label("Begun At")
    @Description("By System.nanoTime(), which is the same clock in all processes of a host")
    long begunAt;

    @Label("Host")
    @Nullable
    String host;

    @Label("Boot")
    @Description(
            "Identifies the boot of the host, from which its clock counts: only times of the same boot can be compared")
    long boot;

    /** Begins the event. */
    final void start() {
        begunAt = System.nanoTime();
        begin();
    }

    /** Commits the event. */
    final void hand() {
        host = Host.NAME;
        boot = Host.BOOT;
        commit();
    }
}
