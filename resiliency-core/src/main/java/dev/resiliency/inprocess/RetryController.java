package dev.resiliency.inprocess;

/**
 * Makes this rank leave the job when it has restarted too often or the job has become too small. Corresponds to
 * nvidia-resiliency-ext's {@code RetryController}.
 *
 * @param maxIterations how often the job may call the function, including the first call, in all generations; no limit
 *     by default
 * @param minWorldSize how many ranks must be alive; 1 by default
 * @param minActiveWorldSize how many ranks must run the function; 1 by default
 */
record RetryController(int maxIterations, int minWorldSize, int minActiveWorldSize) implements Initialize {

    /** Checks that no limit is below 1. */
    RetryController {
        requirePositive("maxIterations", maxIterations);
        requirePositive("minWorldSize", minWorldSize);
        requirePositive("minActiveWorldSize", minActiveWorldSize);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be at least 1");
        }
    }

    /** Throws {@link RestartAbort}, which names the limit, if the iteration must not start. */
    @Override
    public void initialize(State state) {
        if (state.jobRestarts() >= maxIterations) {
            throw new RestartAbort("the function was called " + state.jobRestarts()
                    + " times without success; the limit is " + maxIterations + lastFaultOf(state));
        }
        if (state.worldSize() < minWorldSize) {
            throw new RestartAbort("only " + state.worldSize() + " ranks are alive of the " + state.initialWorldSize()
                    + " that were started; the limit is " + minWorldSize + lastFaultOf(state));
        }
        if (state.activeWorldSize() < minActiveWorldSize) {
            throw new RestartAbort(
                    "only " + state.activeWorldSize() + " ranks are active of the " + state.initialWorldSize()
                            + " that were started; the limit is " + minActiveWorldSize + lastFaultOf(state));
        }
    }

    private static String lastFaultOf(State state) {
        return state.lastFault().isEmpty() ? "" : "; the last fault: " + state.lastFault();
    }
}
