package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.spi.SessionStore;

/** The key by which a store says that an agent hosts it. */
public final class HostMark {
    private static final String KEY = "agents-host";

    private HostMark() {}

    /** Writes it. */
    public static void write(SessionStore store, String node) throws InterruptedException {
        store.set(KEY, node);
    }

    /** Returns the name of the node whose agent hosts the store; empty if it is a store of its own. */
    public static String read(SessionStore store) throws InterruptedException {
        return store.execute(Keys.peek(KEY), store.timeout()).text();
    }
}
