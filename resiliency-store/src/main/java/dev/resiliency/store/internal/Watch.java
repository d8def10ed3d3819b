package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import java.util.function.Consumer;

/** A session's interest in the changes of a key, or of all keys with a prefix. Two are equal if all components are. */
record Watch(KeyspaceSession session, String key, boolean isPrefix, Consumer<? super Change> listener) {
    void tell(Change change) {
        session.output().tell(listener, change);
    }
}
