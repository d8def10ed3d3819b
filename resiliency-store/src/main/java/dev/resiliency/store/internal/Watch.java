package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import java.util.function.Consumer;

/** A session that is told of the changes of a key, or of all keys with a prefix. Two are the same if all of it is equal. */
record Watch(KeyspaceSession session, String key, boolean isPrefix, Consumer<? super Change> listener) {
    void tell(Change change) {
        session.output().tell(listener, change);
    }
}
