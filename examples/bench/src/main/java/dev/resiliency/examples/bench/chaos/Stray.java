package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.Nullable;

/**
 * A process that is started at the address of a job and does not belong to it, or comes when the job is complete.
 *
 * @param kind why it is there
 * @param rank the initial rank that it claims
 * @param worldSize the number of ranks of the job that it takes itself to belong to
 */
record Stray(Disturbance kind, int rank, int worldSize) {
    private static final String ANOTHER = "another process is this rank";
    private static final String GONE = "has left it or was declared dead";

    /**
     * Returns what is wrong with the way in which it was turned away; null if nothing is.
     *
     * @param left what its wrapper threw; null if it did not throw
     * @param completed whether its wrapper returned
     * @param mayBeDead whether the rank of the job may be dead
     */
    @Nullable
    String judge(JobSettings settings, ChaosEvent.@Nullable Left left, boolean completed, boolean mayBeDead) {
        if (kind == Disturbance.LATE) {
            return completed ? null : "%s should have returned, as the job was complete, but: %s".formatted(this, left);
        }
        if (left == null) {
            return "%s was not refused".formatted(this);
        }
        boolean isRefused = left.exception().equals("RankFencedException")
                && left.message().contains("does not admit it")
                && saysWhy(settings, left.message(), mayBeDead);
        return isRefused || findsPortInUse(settings, left)
                ? null
                : "%s was refused with a message that does not say why: %s: %s"
                        .formatted(this, left.exception(), left.message());
    }

    private boolean saysWhy(JobSettings settings, String message, boolean mayBeDead) {
        return switch (kind) {
            case OTHER_WORLD ->
                message.contains("it has %d ranks, but WORLD_SIZE is %d here".formatted(settings.ranks(), worldSize));
            case STARTED_AGAIN -> message.contains(GONE);
            default -> message.contains(ANOTHER) || (mayBeDead && message.contains(GONE));
        };
    }

    /** A second rank 0 cannot host the store that is there already. */
    private boolean findsPortInUse(JobSettings settings, ChaosEvent.Left left) {
        return settings.hosted() && rank == 0 && left.message().contains("in use");
    }

    /** Returns the text for the timeline: {@code second-job 3/8}. */
    @Override
    public String toString() {
        return "%s %d/%d".formatted(kind, rank, worldSize);
    }
}
