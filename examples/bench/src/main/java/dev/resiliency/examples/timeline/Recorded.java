package dev.resiliency.examples.timeline;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;

/**
 * An event of a rank in the Java Flight Recorder.
 *
 * @param job number of the rank's job, from 0: iterations begin anew in each
 * @param start by {@link System#nanoTime} on the rank's host
 * @param end likewise; for a join, when the process was admitted
 * @param time the time of day of that, for display
 * @param number for a restart the rank that caused it, for an iteration the number of ranks, otherwise -1
 * @param text the report of a restart or the name of a phase, otherwise empty
 */
record Recorded(
        EventKind kind,
        int rank,
        int job,
        int iteration,
        long start,
        long end,
        Clock clock,
        Instant time,
        int number,
        String text) {

    /** Events that describe restarts: those of the library, and the start of the JVM. */
    enum EventKind {
        PROCESS("", "", ""),
        ENTRY("dev.resiliency.Entry", "", ""),
        ITERATION("dev.resiliency.Iteration", "worldSize", ""),
        FAULT("dev.resiliency.Fault", "", ""),
        JOIN("dev.resiliency.Join", "", ""),
        RESTART("dev.resiliency.Restart", "causeRank", "report"),
        PHASE("dev.resiliency.RestartPhase", "", "phase");

        private final String event;
        private final String numberField;
        private final String textField;

        EventKind(String event, String numberField, String textField) {
            this.event = event;
            this.numberField = numberField;
            this.textField = textField;
        }

        static Optional<EventKind> of(RecordedEvent event) {
            return Arrays.stream(values())
                    .filter(kind -> kind.event.equals(event.getEventType().getName()))
                    .findFirst();
        }
    }

    /**
     * A clock: only times of the same one can be compared.
     *
     * @param boot identifies the boot of the host
     */
    record Clock(String host, long boot) {}

    static Recorded of(EventKind kind, RecordedEvent event) {
        long start = event.getLong("begunAt");
        String host = event.getString("host");
        return new Recorded(
                kind,
                event.getInt("initialRank"),
                0,
                event.getInt("iteration"),
                start,
                kind == EventKind.JOIN
                        ? event.getLong("admittedAt")
                        : start + event.getDuration().toNanos(),
                new Clock(host == null ? "" : host, event.getLong("boot")),
                event.getStartTime(),
                kind.numberField.isEmpty() ? -1 : event.getInt(kind.numberField),
                kind.textField.isEmpty() ? "" : event.getString(kind.textField));
    }

    /** Returns the life of the process until this event, which {@code started} at this time of day. */
    Recorded since(Instant started) {
        long age = Duration.between(started, time).toNanos();
        return new Recorded(EventKind.PROCESS, rank, job, iteration, start - age, start, clock, started, -1, "");
    }

    Recorded inJob(int which) {
        return new Recorded(kind, rank, which, iteration, start, end, clock, time, number, text);
    }
}
