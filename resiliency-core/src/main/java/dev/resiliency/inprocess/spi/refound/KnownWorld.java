package dev.resiliency.inprocess.spi.refound;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.IndexSet;
import java.util.Base64;

/**
 * A decided world, as a voter remembers it.
 *
 * @param term the store that has decided it
 * @param iteration its iteration
 * @param members its members
 * @param text the decision about it, which successors keep; empty if it is not known
 */
public record KnownWorld(Term term, int iteration, IndexSet members, String text) {
    static final int FIELDS = 4;
    private static final String NONE = "-";

    /** Returns whether the other is the same world, whatever is known about it. */
    boolean isSame(KnownWorld other) {
        return iteration == other.iteration && term.equals(other.term);
    }

    /** Returns this world with the text of its decision. */
    public KnownWorld withText(String known) {
        return new KnownWorld(term, iteration, members, known);
    }

    /** Returns the fields that {@link #read} reads. */
    public String write() {
        String encoded = text.isEmpty() ? NONE : Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
        return term + " " + iteration + " " + Ranges.write(members) + " " + encoded;
    }

    static KnownWorld read(String[] fields, int at) {
        String encoded = fields[at + 3];
        return new KnownWorld(
                Term.read(fields[at]),
                Integer.parseInt(fields[at + 1]),
                Ranges.read(fields[at + 2]),
                encoded.equals(NONE) ? "" : new String(Base64.getDecoder().decode(encoded), UTF_8));
    }
}
