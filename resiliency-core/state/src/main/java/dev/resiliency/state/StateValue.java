package dev.resiliency.state;

/**
 * A part of a {@link LiveState} whose length changes: a model that grows, a vocabulary, the metrics of all steps so far.
 *
 * @since 0.1.0
 */
public interface StateValue {

    /** Returns the bytes themselves, which must not be changed; none before the first {@link #set}. */
    byte[] get();

    /**
     * Replaces the bytes, in {@link LiveState#commit} or while the checkpoint is read only. They are not copied, so leave the
     * array alone afterwards.
     */
    void set(byte[] bytes);
}
