package dev.resiliency.inprocess;

/**
 * Runs once for each wrapper of a process, before the first call of the function, for what is slow and local, such as reading
 * data or compiling kernels. A process that joins a running job runs it before the others learn that it has come, so
 * nobody waits for it; a founder at the beginning of its first iteration, before the initialize hooks. What it throws makes
 * this process leave.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Prepare {

    /** Prepares this process for its first call. */
    void prepare() throws Exception;

    /** Returns a hook that runs this one, then {@code next}. The first that throws ends the chain. */
    default Prepare andThen(Prepare next) {
        return () -> {
            prepare();
            next.prepare();
        };
    }
}
