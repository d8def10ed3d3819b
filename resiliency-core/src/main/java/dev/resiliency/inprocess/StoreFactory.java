package dev.resiliency.inprocess;

import dev.resiliency.store.Store;

/** Opens a rank's session in the store through which the ranks of its job coordinate. The guide's {@code store_factory}. */
@FunctionalInterface
public interface StoreFactory {

    /**
     * Opens a session of its own for this rank; the wrapper closes it.
     *
     * @param environment who this rank is, and where the job's store is
     * @param call how often this process has used a wrapper before: 0 the first time. Ranks that use their wrapper again
     *     must not meet in a store that the last use is about to close
     * @throws dev.resiliency.store.StoreException if the store cannot be reached or started
     */
    Store open(Environment environment, int call) throws InterruptedException;
}
