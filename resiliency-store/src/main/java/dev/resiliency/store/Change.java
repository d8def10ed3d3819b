package dev.resiliency.store;

/**
 * What a watch tells of its key: see {@link Store#watch}.
 *
 * @since 0.1.0
 */
public sealed interface Change {

    /** The key that changed. */
    String key();

    /** The key holds this value now. */
    record Written(String key, Value value) implements Change {}

    /** These members joined the set under the key; the first change of a watch brings all that were there. */
    record Joined(String key, IndexSet members) implements Change {}

    /** The key is gone. */
    record Deleted(String key) implements Change {}
}
