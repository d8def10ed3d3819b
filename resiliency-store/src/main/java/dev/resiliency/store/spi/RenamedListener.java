package dev.resiliency.store.spi;

import dev.resiliency.store.Change;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports changes to a listener under the name by which it asked for the key. Equality is by name and listener, in
 * handwritten code: the methods that a record generates are linked on first use, which takes milliseconds during which
 * a job may stand still.
 */
record RenamedListener(String key, Consumer<? super Change> listener) implements Consumer<Change> {
    @Override
    public void accept(Change change) {
        if (change instanceof Change.Written written) {
            listener.accept(new Change.Written(key, written.value()));
        } else if (change instanceof Change.Joined joined) {
            listener.accept(new Change.Joined(key, joined.members()));
        } else {
            listener.accept(new Change.Deleted(key));
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RenamedListener that && key.equals(that.key) && listener.equals(that.listener);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + listener.hashCode();
    }
}
