package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.refound.Ranges;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.store.IndexSet;
import java.util.List;

/**
 * Those who vote on where the job lives, as the lowest agent has decided it.
 *
 * @param number counted from 0, in the whole job
 * @param term the store that it was decided on
 * @param before the members of the world before, of whom half must accept this one; empty if it is the first
 * @param successors those that host the store next
 */
record AgentWorld(int number, Term term, IndexSet before, IndexSet members, List<StoreSeat> successors) {
    private static final int FIELDS = 4;

    /** Copies the list. */
    AgentWorld {
        successors = List.copyOf(successors);
    }

    /** Returns the text that {@link #read} reads. */
    String text() {
        return "%d %s %s %s\n%s"
                .formatted(number, term, Ranges.write(before), Ranges.write(members), StoreSeat.writeAll(successors));
    }

    static AgentWorld read(String text) {
        String[] parts = text.split("\n", 2);
        String[] fields = parts[0].split(" ", FIELDS);
        return new AgentWorld(
                Integer.parseInt(fields[0]),
                Term.read(fields[1]),
                Ranges.read(fields[2]),
                Ranges.read(fields[3]),
                StoreSeat.readAll(parts[1]));
    }
}
