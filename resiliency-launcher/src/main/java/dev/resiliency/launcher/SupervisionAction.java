package dev.resiliency.launcher;

import java.time.Duration;

/** What a supervision decides, each with its reason for the log. */
sealed interface SupervisionAction {
    /** Returns the line for the log. */
    String reason();

    /** To start the process now. */
    record Start(String reason) implements SupervisionAction {}

    /** To start it later: {@link SupervisedProcess} asks for it when it is time. */
    record StartLater(Duration delay, String reason) implements SupervisionAction {}

    /**
     * To pass a signal on to the process.
     *
     * @param name without {@code SIG}
     */
    record Signal(String name, String reason) implements SupervisionAction {}

    /**
     * To pass a signal on to the process if it handles it.
     *
     * @param name without {@code SIG}
     */
    record Pass(String name, String reason) implements SupervisionAction {}

    /** To end the process at once. */
    record Kill(String reason) implements SupervisionAction {}

    /** To end the supervisor with this exit code. */
    record Exit(int code, String reason) implements SupervisionAction {}
}
