package dev.resiliency.inprocess;

/**
 * Runs once, when all active ranks have completed. Whatever it throws reaches the caller. Corresponds to
 * nvidia-resiliency-ext's {@code Completion}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Completion {

    /** Runs after the training has succeeded. */
    void completed(State state) throws Exception;

    /** Returns a hook that runs this one, then {@code next}. The first that throws ends the chain. */
    default Completion andThen(Completion next) {
        return compose(next, this);
    }

    /**
     * Returns a hook that runs all of these in mathematical order: <b>the last one listed runs first</b>, as in
     * nvidia-resiliency-ext's {@code Compose}. The first that throws ends the chain.
     */
    static Completion compose(Completion... hooks) {
        return HookComposition.of(hooks, Completion::completed)::runUntilOneThrows;
    }
}
