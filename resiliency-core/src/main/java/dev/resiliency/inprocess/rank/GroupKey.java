package dev.resiliency.inprocess.rank;

/**
 * Determines the group of a rank: ranks with the same key are in one group. Each rank computes its own keys, once, when
 * it joins the job. Corresponds to nvidia-resiliency-ext's {@code key_or_fn}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface GroupKey {

    /**
     * Returns the key of this rank: any text.
     *
     * @param initialRank the rank that the launcher gave this process. So if it replaces a lost rank that had the same
     *     one, it is in the same group
     * @throws Exception if it cannot be computed; the rank then leaves the job
     */
    String of(int initialRank) throws Exception;

    /** Returns a key that puts all ranks into one group. */
    static GroupKey of(String key) {
        return initialRank -> key;
    }

    /** Returns a key that groups ranks by the name of their host, without a name service. */
    static GroupKey hostName() {
        return initialRank -> HostName.get();
    }

    /**
     * Returns a key that groups {@code size} successive initial ranks.
     *
     * @throws IllegalArgumentException if {@code size} is less than 1
     */
    static GroupKey initialRankDividedBy(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("a group must have at least 1 rank, not " + size);
        }
        return initialRank -> Integer.toString(initialRank / size);
    }

    /** Returns a key that groups ranks by an environment variable, such as the label of a rack or an NVLink domain. */
    static GroupKey environmentVariable(String name) {
        return initialRank -> {
            String value = System.getenv(name);
            if (value == null) {
                throw new IllegalStateException(
                        "rank " + initialRank + " cannot be grouped: its environment has no " + name);
            }
            return value;
        };
    }
}
