package dev.resiliency.launcher;

import dev.resiliency.launcher.process.ExitReason;

/** What happens to a supervised process. */
sealed interface SupervisionEvent {
    /** The process has started. */
    record Started(long pid) implements SupervisionEvent {}

    /**
     * The process has ended, or could not be started.
     *
     * @param at when, on the clock of {@link System#nanoTime}
     */
    record Ended(ExitReason reason, long at) implements SupervisionEvent {}

    /**
     * The supervisor is asked to end.
     *
     * @param signal without {@code SIG}
     */
    record StopAsked(String signal) implements SupervisionEvent {}

    /**
     * A signal came that the process may want, and that asks nobody to end.
     *
     * @param signal without {@code SIG}
     */
    record Notified(String signal) implements SupervisionEvent {}

    /** Time has passed. */
    record Tick() implements SupervisionEvent {}
}
