package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session's interest in the changes of a key, or of all keys with a prefix. Two are equal if all components are, by
 * handwritten code: see {@code RenamedListener}.
 */
record Watch(KeyspaceSession session, String key, boolean isPrefix, Consumer<? super Change> listener) {
    void tell(Change change) {
        session.output().tell(listener, change);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Watch that
                && session.equals(that.session)
                && key.equals(that.key)
                && isPrefix == that.isPrefix
                && listener.equals(that.listener);
    }

    @Override
    public int hashCode() {
        return (31 * session.hashCode() + key.hashCode()) * 31 + listener.hashCode();
    }
}
