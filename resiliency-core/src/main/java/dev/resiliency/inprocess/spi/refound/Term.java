package dev.resiliency.inprocess.spi.refound;

import java.util.Comparator;

/**
 * The number of a store of a job. It tells whose store it is, so no two have the same.
 *
 * @param number counted from 0; that of the generation which the store holds
 * @param host the rank that hosts it
 */
public record Term(int number, int host) implements Comparable<Term> {
    /** The store that rank 0 hosts in the beginning. */
    public static final Term FIRST = new Term(0, 0);

    private static final Comparator<Term> ORDER =
            Comparator.comparingInt(Term::number).thenComparingInt(Term::host);

    @Override
    public int compareTo(Term other) {
        return ORDER.compare(this, other);
    }

    /** Returns the text that {@link #read} reads: {@code number.host}. */
    @Override
    public String toString() {
        return number + "." + host;
    }

    /**
     * Reads what {@link #toString} has written.
     *
     * @throws IllegalArgumentException if it has not
     */
    public static Term read(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("no number of a store");
        }
        return new Term(Integer.parseInt(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
    }
}
