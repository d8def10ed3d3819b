package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.State;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A process that joins a running job, from its announcement to the leader until it enters its first iteration. */
@Name("dev.resiliency.Join")
@Label("Join")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
public final class JoinEvent extends RankEvent {
    @Label("Admitted At")
    @Description("When this process learned that the leader had admitted it, by System.nanoTime()")
    private long admittedAt;

    @Label("Generation")
    @Description("How often all processes of the job had ended and the job was started anew")
    private int generation;

    private JoinEvent() {}

    /** Begins the event: the process announces itself. */
    public static JoinEvent announced() {
        JoinEvent event = new JoinEvent();
        event.start();
        return event;
    }

    /** The leader has admitted the process. */
    public void admitted() {
        admittedAt = System.nanoTime();
    }

    /** Ends the event and commits it if it is being recorded: the process has entered its first iteration. */
    public void record(State entered) {
        end();
        if (shouldCommit()) {
            initialRank = entered.initialRank();
            iteration = entered.iteration();
            generation = entered.generation();
            hand();
        }
    }
}
