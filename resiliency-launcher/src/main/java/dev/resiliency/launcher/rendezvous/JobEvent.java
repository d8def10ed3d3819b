package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.guard.Printable;
import java.time.Instant;

/**
 * Something that has happened in a job, as its agents have written it.
 *
 * @param number in the order in which the store was asked to keep it, from 1; some may be missing
 * @param time on the clock of the host that wrote it
 * @param node the name of the node whose agent wrote it; {@link #CONTROL} if it was no agent
 * @param text for people, one line
 */
public record JobEvent(long number, Instant time, String node, Kind kind, String text) {
    /** Stands for the name of a node where a command has written the event. */
    public static final String CONTROL = "control";

    private static final int LONGEST = 1000;
    private static final int FIELDS = 4;

    /** What has happened. */
    public enum Kind {
        /** A node has come. */
        NODE_CAME,
        /** The agent of a node has died, or the store has heard nothing of it for its lease. */
        NODE_LOST,
        /** A node has left before the end of the job. */
        NODE_LEFT,
        /** All ranks of a node have completed. */
        NODE_COMPLETED,
        /** A node fails its checks: it does not take part, or leaves. */
        NODE_UNHEALTHY,
        /** A node that was unhealthy passes its checks. */
        NODE_HEALTHY,
        /** A rank has ended that has neither completed nor was asked to end. */
        RANK_ENDED,
        /** A rank has not done in time what its limits require, and is ended. */
        RANK_OVERDUE,
        /** A rank asks for something that concerns its node or the job. */
        WORKLOAD_CONTROL,
        /** A restart was granted. */
        RESTART,
        /** The wrapped ranks have begun another iteration in their processes: see {@link InProcessRestart}. */
        IN_PROCESS_RESTART,
        /** All ranks start again. */
        CYCLE,
        /** A node was asked to leave. */
        DRAIN,
        /** The number of nodes was changed. */
        SCALE,
        /** Why the job was interrupted. */
        REPORT,
        /** The job has ended: the last event. */
        JOB_ENDED
    }

    /** Returns the value of its key; too long a text is shortened. */
    static Value write(Instant time, String node, Kind kind, String text) {
        String line = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
        return Value.of(String.join("\n", Long.toString(time.toEpochMilli()), kind.name(), node, line));
    }

    /** Reads what {@link #write} has written, by whomever: it is printed as it is. */
    static JobEvent read(long number, Value value) {
        String[] fields = value.text().split("\n", FIELDS);
        return new JobEvent(
                number,
                Instant.ofEpochMilli(Long.parseLong(fields[0])),
                Printable.of(fields[2]),
                Kind.valueOf(fields[1]),
                Printable.of(fields[3]));
    }
}
