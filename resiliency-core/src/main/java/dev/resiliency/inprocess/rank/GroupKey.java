package dev.resiliency.inprocess.rank;

/**
 * Says to which group a rank belongs: ranks with the same key are in one group. Each rank computes its own keys, once,
 * when it joins the job. Corresponds to nvidia-resiliency-ext's {@code key_or_fn}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface GroupKey {

    /**
     * Returns the key of this rank: any text.
     *
     * @param initialRank the rank that the launcher gave this process; no other is known yet
     * @throws Exception if it cannot be computed; the rank then leaves the job
     */
    String of(int initialRank) throws Exception;

    /** Gives all ranks the same key: one group. */
    static GroupKey of(String key) {
        return initialRank -> key;
    }

    /** Groups ranks by the name that their host gives itself; asks no name service. */
    static GroupKey hostName() {
        return initialRank -> HostName.get();
    }

    /**
     * Groups {@code size} successive initial ranks.
     *
     * @throws IllegalArgumentException if {@code size} is less than 1
     */
    static GroupKey initialRankDividedBy(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("a group must have at least 1 rank, not " + size);
        }
        return initialRank -> Integer.toString(initialRank / size);
    }

    /** Groups ranks by a variable of their environment: the label of a rack, of an NVLink domain. */
    static GroupKey environmentVariable(String name) {
        return initialRank -> {
            String value = System.getenv(name);
            if (value == null) {
                throw new IllegalStateException(
                        "initial rank " + initialRank + " cannot be grouped: its environment has no " + name);
            }
            return value;
        };
    }
}
