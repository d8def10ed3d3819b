package dev.resiliency.inprocess.spi.refound;

/**
 * What a voter remembers for good: its monitor process knows it, too, and votes for it when it has died.
 *
 * @param term the store that it follows, or has given its vote to; it accepts nothing of an earlier one
 * @param agreed the last world that it knows to be agreed
 * @param accepted the last world that it has accepted: the same, or the next one
 * @param completed whether it has accepted that this world is complete
 * @param ceded whether it accepts, unseen, whatever its store decides next: then no other store may count it
 */
public record Vote(Term term, KnownWorld agreed, KnownWorld accepted, boolean completed, boolean ceded) {
    private static final int FIELDS = 2 * KnownWorld.FIELDS + 3;

    /** Returns the vote of a member of the first world of a job, which needs no agreement. */
    public static Vote first(KnownWorld world) {
        return new Vote(world.term(), world, world, false, false);
    }

    /** Returns this vote after the voter has accepted the next world, decided by the store that it follows. */
    public Vote accept(KnownWorld next) {
        return new Vote(term, agreed, next, false, ceded);
    }

    /** Returns this vote after the voter has learned that what it has accepted is agreed. */
    public Vote agree() {
        return new Vote(term, accepted, accepted, completed, ceded);
    }

    /** Returns this vote after the voter has accepted the completion. */
    public Vote complete() {
        return new Vote(term, agreed, accepted, true, ceded);
    }

    /** Returns this vote after the voter has ceded. */
    public Vote cede() {
        return new Vote(term, agreed, accepted, completed, true);
    }

    /** Returns this vote once it is given to another store. */
    public Vote enrol(Term other) {
        return new Vote(other, agreed, accepted, completed, ceded);
    }

    /** Returns this vote after the voter has gone back to the world on which its store was founded; it keeps what it knows about that. */
    public Vote goBack(KnownWorld base, boolean isComplete) {
        KnownWorld own = accepted.isSame(base) ? accepted : agreed;
        KnownWorld known = base.text().isEmpty() && own.isSame(base) ? own : base;
        return new Vote(term, known, known, completed && isComplete, ceded);
    }

    /** Returns this vote with what its voter knows about the decision of the world that it has accepted. */
    public Vote withText(String text) {
        KnownWorld known = accepted.withText(text);
        return new Vote(term, accepted.isSame(agreed) ? known : agreed, known, completed, ceded);
    }

    /** Returns this vote without the decisions. */
    public Vote withoutTexts() {
        return new Vote(term, agreed.withText(""), accepted.withText(""), completed, ceded);
    }

    /** Returns the line that {@link #read} reads. */
    public String write() {
        return term + " " + agreed.write() + " " + accepted.write() + " " + completed + " " + ceded;
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @throws IllegalArgumentException if no voter has written it
     */
    public static Vote read(String line) {
        String[] fields = line.split(" ", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("no vote: " + fields.length + " fields");
        }
        return new Vote(
                Term.read(fields[0]),
                KnownWorld.read(fields, 1),
                KnownWorld.read(fields, 1 + KnownWorld.FIELDS),
                Boolean.parseBoolean(fields[FIELDS - 2]),
                Boolean.parseBoolean(fields[FIELDS - 1]));
    }
}
