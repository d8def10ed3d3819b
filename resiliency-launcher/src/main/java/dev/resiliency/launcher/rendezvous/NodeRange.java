package dev.resiliency.launcher.rendezvous;

/**
 * How many nodes take part in a job, as {@code resiliency scale} has set it.
 *
 * @param min how many found the job in its next cycle
 * @param max how many take part at most
 */
public record NodeRange(int min, int max) {
    /** Checks the numbers. */
    public NodeRange {
        if (min < 1 || max < min) {
            throw new IllegalArgumentException(
                    "%d:%d is no number of nodes: the minimum must be at least 1, and the maximum at least the minimum"
                            .formatted(min, max));
        }
    }

    static NodeRange read(String text) {
        String[] fields = text.split(":", -1);
        return new NodeRange(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
    }

    /** Returns {@code MIN:MAX}. */
    @Override
    public String toString() {
        return min + ":" + max;
    }
}
