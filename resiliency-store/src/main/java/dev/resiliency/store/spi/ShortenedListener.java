package dev.resiliency.store.spi;

import dev.resiliency.store.Change;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Reports changes to a listener under keys without their first characters. Equality is by listener and number.
 */
record ShortenedListener(int characters, Consumer<? super Change> listener) implements Consumer<Change> {

    /** Returns a listener that strips what {@code rename} puts in front of a prefix. */
    static ShortenedListener of(String prefix, UnaryOperator<String> rename, Consumer<? super Change> listener) {
        return new ShortenedListener(rename.apply(prefix).length() - prefix.length(), listener);
    }

    @Override
    public void accept(Change change) {
        new RenamedListener(change.key().substring(characters), listener).accept(change);
    }
}
