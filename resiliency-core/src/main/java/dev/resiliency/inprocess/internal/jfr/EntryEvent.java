package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.State;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The steps of an active rank before it calls the function: start of the worker, initialize hooks, health check. */
@Name("dev.resiliency.Entry")
@Label("Entry")
public final class EntryEvent extends RankEvent {
    private EntryEvent() {}

    /** Begins the event. */
    public static EntryEvent begin(State state) {
        EntryEvent event = new EntryEvent();
        event.initialRank = state.initialRank();
        event.iteration = state.iteration();
        event.start();
        return event;
    }

    /** Ends and commits the event: the function is called next. */
    public void commitNow() {
        end();
        if (shouldCommit()) {
            hand();
        }
    }
}
