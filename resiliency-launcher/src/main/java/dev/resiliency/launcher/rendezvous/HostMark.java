package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;

/** The key by which a store says which agent hosts it, if one does. */
public final class HostMark {
    private static final String KEY = "agents-host";

    private HostMark() {}

    /** Writes it. */
    public static void write(SessionStore store, String node) throws InterruptedException {
        store.set(KEY, node);
    }

    /** Writes that no agent hosts the store, some time later. */
    public static void writeNone(SessionStore store) {
        store.send(List.of(new Operation.Set(KEY, Value.empty())));
    }

    /** Returns whether an agent hosts the store; one that has just begun to may not have said so yet, so this waits for that long. */
    public static boolean await(SessionStore store, Duration limit) throws InterruptedException {
        try {
            return store.get(KEY, limit).size() > 0;
        } catch (StoreTimeoutException none) {
            return false;
        }
    }

    /** Returns the name of the node whose agent hosts the store; empty if it is a store of its own. */
    public static String read(SessionStore store) throws InterruptedException {
        return store.execute(Keys.peek(KEY), store.timeout()).text();
    }
}
