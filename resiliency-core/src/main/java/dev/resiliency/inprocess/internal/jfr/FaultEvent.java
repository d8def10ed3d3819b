package dev.resiliency.inprocess.internal.jfr;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A fault that this rank records in the store: its own, or the death of another one that it has noticed. */
@Name("dev.resiliency.Fault")
@Label("Fault")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
public final class FaultEvent extends RankEvent {
    @Label("Faulty Rank")
    @Description("The initial rank that it happened to")
    private int faultyRank;

    @Label("Kind")
    private @Nullable String kind;

    @Label("Message")
    private @Nullable String message;

    private FaultEvent() {}

    /**
     * Loads this class. The JDK writes code for an event when its class is loaded, which takes it some ten milliseconds:
     * not while the others wait for the news of a fault.
     */
    @SuppressWarnings("EmptyMethod") // that it is called is enough
    public static void load() {}

    /** Tells of a fault of rank {@code faulty} that this one records now. */
    public static void tell(State recorder, int faulty, Interruption.Kind kind, String message) {
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
