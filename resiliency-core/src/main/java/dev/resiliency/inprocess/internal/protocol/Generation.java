package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;

/**
 * A generation of a job: the processes that found it together, and those that join them. When all its members have died
 * or left before the job was complete, the processes that come then found the next one.
 *
 * @param number counted from 0
 * @param firstIteration the number of its first iteration: 0, or a multiple of {@value #STEP} above all earlier ones
 * @param restartsBefore the number of restarts of the job before its first iteration
 */
public record Generation(int number, int firstIteration, int restartsBefore) {
    /** The first generation of each job. */
    public static final Generation FIRST = new Generation(0, 0, 0);

    private static final int STEP = 100;
    private static final int FIELDS = 3;
    private static final String TEXT = "\\d{1,9} \\d{1,9} \\d{1,9}";

    /**
     * Returns the generation after this one.
     *
     * @param latest the last iteration of this one; {@link JobKeys#BEFORE_FIRST} if it had none
     */
    Generation next(int latest) {
        return latest == BEFORE_FIRST
                ? new Generation(number + 1, firstIteration, restartsBefore)
                : new Generation(number + 1, (latest / STEP + 1) * STEP, restartsUntil(latest) + 1);
    }

    /** Returns the same generation with another number, on a store that was founded anew. */
    public Generation refounded(int number) {
        return new Generation(number, firstIteration, restartsBefore);
    }

    /** Returns the number of restarts of the job before this iteration. */
    int restartsUntil(int iteration) {
        return restartsBefore + iteration - firstIteration;
    }

    /** Returns the text that {@link #read} reads: {@code number firstIteration restartsBefore}. */
    public String text() {
        return number + " " + firstIteration + " " + restartsBefore;
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @throws IllegalArgumentException if no rank has written it
     */
    public static Generation read(String text) {
        if (!text.matches(TEXT)) {
            throw new IllegalArgumentException(
                    "the generation of the job is unreadable; does something else write to its store?");
        }
        String[] fields = text.split(" ", FIELDS);
        return new Generation(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]), Integer.parseInt(fields[2]));
    }
}
