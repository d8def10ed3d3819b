package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.RestartReport;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** One restart on this rank, from the moment at which it knew of the interruption to its next iteration. */
@Name("dev.resiliency.Restart")
@Label("Restart")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
public final class RestartEvent extends RankEvent {
    @Label("Report")
    @Description("Why, and how long each phase took on this rank")
    private @Nullable String report;

    @Label("First Cause Rank")
    @Description("The initial rank whose fault was recorded first; -1 if none was")
    private int causeRank;

    private RestartEvent() {}

    /** Begins now. */
    public static RestartEvent begun() {
        RestartEvent event = new RestartEvent();
        event.start();
        return event;
    }

    /** Fixes its end; what it says is {@linkplain #tell told} later. */
    public void ended() {
        end();
    }

    /** Hands it to the recorder, if one listens. */
    public void tell(RestartReport restart) {
        if (shouldCommit()) {
            initialRank = restart.state().initialRank();
            iteration = restart.interrupted();
            report = restart.toString();
            causeRank = restart.interruptions().isEmpty()
                    ? -1
                    : restart.interruptions().get(0).rank();
            hand();
        }
    }
}
