package dev.resiliency.inprocess.internal.protocol;

/**
 * What the store has made of a process: a member of its job, or one who waits to become one.
 *
 * @param rank its number, by which all name it and which is never used twice in a generation. A founder has the rank
 *     that its launcher gave it, a joiner one from {@code worldSize} on
 * @param worldSize the number of founders
 * @param run the random id of the generation; empty if it is not known
 */
public record Identity(int rank, int worldSize, Generation generation, String run) {

    /** Returns whether the process came when its job was running, or its rank was taken. */
    public boolean isJoiner() {
        return rank >= worldSize;
    }
}
