package dev.resiliency.launcher.rendezvous;

import java.time.Duration;

/**
 * How an agent meets the others.
 *
 * @param name of the node, by which it is the same one again when its agent comes back
 * @param address of the node, for people
 * @param givenRank the node rank that its scheduler gave it; {@link Node#NO_RANK} for none
 * @param domain see {@link Node#domain}
 * @param most how many nodes take part when a cycle begins, without waiting for more
 * @param timeout how long to wait for a seat
 * @param lastCall how long to wait for more nodes when the least number is there
 * @param lease how long the store waits for a sign of life of the agent
 * @param hostsStore whether the store is in this process, and so ends with it: then it needs no sign of life
 */
public record NodeSettings(
        String jobId,
        Terms terms,
        int most,
        String name,
        String address,
        int givenRank,
        String domain,
        Duration timeout,
        Duration lastCall,
        Duration lease,
        boolean hostsStore) {

    /** A store that does not answer a goodbye within this time is gone. */
    Duration goodbyeLimit() {
        return Duration.ofSeconds(5);
    }
}
