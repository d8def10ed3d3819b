package dev.resiliency.store;

import java.util.function.Consumer;

/** Tells a listener of changes under the name by which it asked for the key. Equal if name and listener are. */
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
}
