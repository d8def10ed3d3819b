package dev.resiliency.launcher.rendezvous;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has changed in a job since somebody looked last.
 *
 * @param version to ask for what changes after this
 * @param status null if it has not changed, or no agent has come yet
 * @param ranks of the nodes whose ranks have changed
 * @param events new ones, oldest first
 * @param reports new ones, oldest first
 * @param lost why the store is not there any more; null if it is
 */
public record JobView(
        String jobId,
        long version,
        @Nullable JobStatus status,
        List<NodeRanks> ranks,
        List<JobEvent> events,
        List<Numbered> reports,
        @Nullable String lost) {

    /**
     * What a node knows of its ranks.
     *
     * @param json as its agent has written it
     * @param receivedAt when it came, on the clock of this host, in milliseconds since 1970
     * @param isLive whether it was written just before; otherwise it may be old
     */
    public record NodeRanks(int arrival, String json, long receivedAt, boolean isLive) {}

    /** A report, as it was written. */
    public record Numbered(long number, String json) {}
}
