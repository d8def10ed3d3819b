package dev.resiliency.inprocess.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** What all events tell: of which rank, in which iteration. Costs nothing while nobody records. */
@Category({"Resiliency", "In-process restart"})
@StackTrace(false)
abstract class RankEvent extends Event {
    @Label("Initial Rank")
    @Description("The rank that the launcher gave the process; it never changes")
    int initialRank;

    @Label("Iteration")
    @Description("How often the function was called before")
    int iteration;
}
