package dev.resiliency.inprocess.rank;

import dev.resiliency.inprocess.State;

/**
 * Says to which group a rank belongs: ranks with the same key are in one group. Each rank computes its own keys, once,
 * when it joins the job. The guide's {@code key_or_fn}.
 *
 * <p>In the state that it is given, no role is known yet: the rank and the world size are the initial ones, and the
 * active world size is 0.
 */
@FunctionalInterface
public interface GroupKey {

    /**
     * The key of the rank whose state this is: any text.
     *
     * @throws Exception if it cannot be told; the rank then leaves the job
     */
    String of(State state) throws Exception;

    /** The same key for all: one group. */
    static GroupKey of(String key) {
        return state -> key;
    }

    /** The name that the host gives itself; no name service is asked. */
    static GroupKey hostName() {
        return state -> HostName.get();
    }

    /** Groups of {@code size} successive initial ranks. */
    static GroupKey initialRankDividedBy(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("a group must have at least 1 rank, not " + size);
        }
        return state -> Integer.toString(state.initialRank() / size);
    }

    /** What a variable of the rank's environment says: the label of a rack, of an NVLink domain. */
    static GroupKey environmentVariable(String name) {
        return state -> {
            String value = System.getenv(name);
            if (value == null) {
                throw new IllegalStateException(
                        "initial rank " + state.initialRank() + " cannot be grouped: its environment has no " + name);
            }
            return value;
        };
    }
}
