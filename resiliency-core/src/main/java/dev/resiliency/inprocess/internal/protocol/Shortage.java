package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.TooFewRanksException;
import dev.resiliency.inprocess.spi.refound.Ranges;
import dev.resiliency.store.IndexSet;
import java.time.Duration;

/**
 * The reason, sent to all ranks, why a job ends with too few of them: {@link TooFewRanksException} describes the
 * components.
 */
public record Shortage(int activeRanks, int minRanks, IndexSet left, IndexSet came, Duration waited) {
    private static final int FIELDS = 5;

    /** Returns what each rank throws. */
    public TooFewRanksException toException() {
        return new TooFewRanksException(activeRanks, minRanks, left, came, waited);
    }

    String text() {
        return activeRanks + " " + minRanks + " " + Ranges.write(left) + " " + Ranges.write(came) + " "
                + waited.toMillis();
    }

    static Shortage read(String text) {
        String[] fields = text.split(" ", FIELDS);
        return new Shortage(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                Ranges.read(fields[2]),
                Ranges.read(fields[3]),
                Duration.ofMillis(Long.parseLong(fields[4])));
    }
}
