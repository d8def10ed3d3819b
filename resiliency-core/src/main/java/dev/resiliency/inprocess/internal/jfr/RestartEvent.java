package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A restart on this rank, from the moment at which it learned of the interruption to its next iteration. */
@Name("dev.resiliency.Restart")
@Label("Restart")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class RestartEvent extends RankEvent {
    @Label("Report")
    @Description("The causes, and the duration of each phase on this rank")
    private @Nullable String report;

    @Label("First Cause Rank")
    @Description("The initial rank whose fault was recorded first; -1 if none was")
    private int causeRank;

    @Label("Joined")
    @Description(
            "The initial ranks of the processes that joined the job with this restart, as ranges; empty if none did")
    private @Nullable String joined;

    @Label("Generation")
    @Description("How often all processes of the job had ended and the job was started anew")
    private int generation;

    private RestartEvent() {}

    /** Begins the event. */
    static RestartEvent begun() {
        RestartEvent event = new RestartEvent();
        event.start();
        return event;
    }

    /** Ends the event; {@link #record} commits it later. */
    void ended() {
        end();
    }

    /** Commits the event if it is being recorded. */
    void record(RestartReport restart) {
        if (shouldCommit()) {
            initialRank = restart.state().initialRank();
            iteration = restart.interrupted();
            report = restart.toString();
            causeRank = restart.interruptions().stream()
                    .filter(interruption -> interruption.kind().isFault())
                    .findFirst()
                    .map(Interruption::rank)
                    .orElse(-1);
            joined = restart.joined().isEmpty() ? "" : restart.joined().toString();
            generation = restart.state().generation();
            hand();
        }
    }
}
