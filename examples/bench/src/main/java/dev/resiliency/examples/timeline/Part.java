package dev.resiliency.examples.timeline;

import java.util.Locale;

/** The parts of a restart on one rank, in the order in which they come. */
public enum Part {
    /** From the fault. */
    DETECT('d', true, "until this rank knew of the fault"),
    /** Not to be told twice of faults that come together. */
    LAST_CALL('l', true, "waiting for further faults"),
    /** The first thing that is done about it. */
    ABORT('a', false, "running atomic section, abort hooks and registered abortables"),
    /** The second. */
    STOP('s', false, "until the function's thread had ended"),
    /** The third. */
    FINALIZE('f', false, "finalize hooks"),
    /** The fourth. */
    HEALTH_CHECK('h', false, "health check"),
    /** Nothing is left to do here. */
    BARRIER('.', true, "waiting until all others had stopped"),
    /** For all ranks, by one of them. */
    ASSIGN('A', false, "until the new rank was known, which one rank assigns for all"),
    /** What is left to do here after it. */
    RE_ENTRY('r', false, "initialize hooks and health check, until the function was called");

    private final char letter;
    private final boolean isWaiting;
    private final String meaning;

    Part(char letter, boolean isWaiting, String meaning) {
        this.letter = letter;
        this.isWaiting = isWaiting;
        this.meaning = meaning;
    }

    /** What stands for it in a chart of characters. */
    char letter() {
        return letter;
    }

    /** Whether the rank itself does nothing meanwhile. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** In some words. */
    String meaning() {
        return meaning;
    }

    /** As people read it: {@code last call}. */
    String title() {
        return this == RE_ENTRY ? "re-entry" : name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** As a style sheet names it: {@code last-call}. */
    String style() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
