package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.State;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An iteration on this rank, from the start of its worker until the rank learns its outcome. */
@Name("dev.resiliency.Iteration")
@Label("Iteration")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
public final class IterationEvent extends RankEvent {
    @Label("Active Rank")
    @Description("The rank that the function saw; -1 on a reserve")
    private int activeRank;

    @Label("Active World Size")
    private int activeWorldSize;

    @Label("World Size")
    @Description("The number of living ranks, including reserves")
    private int worldSize;

    @Label("Generation")
    @Description("How often all processes of the job had ended and the job was started anew")
    private int generation;

    @Label("Entry")
    @Description("FOUNDED, SURVIVED or JOINED: how this process came into the iteration")
    private @Nullable String entry;

    @Label("Ending")
    @Description("INTERRUPTED, COMPLETED, or why this rank left")
    private @Nullable String ending;

    private IterationEvent() {}

    /** Begins the event. */
    public static IterationEvent begin(State state) {
        IterationEvent event = new IterationEvent();
        event.initialRank = state.initialRank();
        event.iteration = state.iteration();
        event.activeRank = state.activeRank();
        event.activeWorldSize = state.activeWorldSize();
        event.worldSize = state.worldSize();
        event.generation = state.generation();
        event.entry = state.entry().name();
        event.start();
        return event;
    }

    /** Ends and commits the event. */
    public void end(String how) {
        ending = how;
        end();
        if (shouldCommit()) {
            hand();
        }
    }
}
