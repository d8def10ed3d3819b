package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A fault that this rank records in the store: its own, or the death of another rank. */
@Name("dev.resiliency.Fault")
@Label("Fault")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
public final class FaultEvent extends RankEvent {
    @Label("Faulty Rank")
    @Description("The initial rank of the fault")
    private int faultyRank;

    @Label("Kind")
    private @Nullable String kind;

    @Label("Message")
    private @Nullable String message;

    private FaultEvent() {}

    /**
     * Loads this class. The JDK generates code when the class of an event is loaded, which takes tens of milliseconds:
     * too long while the others wait to learn of a fault.
     */
    @SuppressWarnings("EmptyMethod") // the call itself loads the class
    public static void load() {}

    /** Commits the event of a fault of rank {@code faulty} that {@code recorder} records now. */
    public static void record(State recorder, int faulty, Interruption.Kind kind, String message) {
        FaultEvent event = new FaultEvent();
        if (event.isEnabled()) {
            event.initialRank = recorder.initialRank();
            event.iteration = recorder.iteration();
            event.faultyRank = faulty;
            event.kind = kind.name();
            event.message = message;
            event.start();
            event.hand();
        }
    }
}
