package dev.resiliency.launcher;

import java.util.Locale;

/**
 * What is started again when the process of a rank fails or a node is lost. Corresponds to torchelastic's restart policies.
 *
 * @since 0.1.0
 */
public enum RestartPolicy {
    /** The process alone: the others go on, and it joins them. For functions in a {@code Wrapper}. The default. */
    SOFT,

    /** All processes of its node, which join the others as each is ready, with a restart of those that go on. */
    SOFT_NO_REPLACE,

    /** All processes of all nodes: for programs that cannot go on when one of them fails. */
    HARD;

    /** Returns the name as a command line has it: {@code soft-no-replace}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
