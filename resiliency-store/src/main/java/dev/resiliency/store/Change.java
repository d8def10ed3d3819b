package dev.resiliency.store;

/**
 * A change that a watch reports: see {@link Store#watch}.
 *
 * @since 0.1.0
 */
public sealed interface Change {

    /** Returns the key that changed. */
    String key();

    /** The key now holds this value. */
    record Written(String key, Value value) implements Change {}

    /**
     * These members joined the set under the key; the first change that a watch reports contains all existing members.
     */
    record Joined(String key, IndexSet members) implements Change {}

    /** The key was deleted. */
    record Deleted(String key) implements Change {}
}
