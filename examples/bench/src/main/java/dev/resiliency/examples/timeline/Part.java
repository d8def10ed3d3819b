package dev.resiliency.examples.timeline;

import java.util.Locale;

/** The parts of a restart on one rank, in order; a rank that joins with it only has those of its way into the job. */
public enum Part {
    /** The way of a process that joins, from the start of its JVM. */
    START('S', false, "until the process announced itself"),
    /** Waiting to be admitted. */
    WAIT('w', true, "until the process was admitted to the job"),
    /** From the fault. */
    DETECT('d', true, "until this rank learned of the fault"),
    /** Collects faults that come together. */
    LAST_CALL('l', true, "waiting for further faults"),
    /** First reaction. */
    ABORT('a', false, "running atomic section, abort hooks and registered abort actions"),
    /** Second reaction. */
    STOP('s', false, "until the function's thread had ended"),
    /** Third reaction. */
    FINALIZE('f', false, "finalize hooks"),
    /** Fourth reaction. */
    HEALTH_CHECK('h', false, "health check"),
    /** Slows down a function that fails at once, again and again. */
    BACK_OFF('p', true, "pause, as the function had failed at once several times in a row"),
    /** Waiting for the other ranks. */
    BARRIER('.', true, "waiting until all others had stopped"),
    /** One rank assigns the ranks of all. */
    ASSIGN('A', false, "until the new rank was known, which one rank assigns to all"),
    /** Remaining work on this rank. */
    RE_ENTRY('r', false, "initialize hooks and health check, until the function was called");

    private final char letter;
    private final boolean isWaiting;
    private final String meaning;

    Part(char letter, boolean isWaiting, String meaning) {
        this.letter = letter;
        this.isWaiting = isWaiting;
        this.meaning = meaning;
    }

    /** Returns its letter in a text chart. */
    char letter() {
        return letter;
    }

    /** Returns whether the rank only waits. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** Returns a short description. */
    String meaning() {
        return meaning;
    }

    /** Returns the name for people, such as {@code last call}. */
    String title() {
        return this == RE_ENTRY ? "re-entry" : name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns the name in the style sheet, such as {@code last-call}. */
    String style() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
