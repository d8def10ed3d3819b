/**
 * Recovery from a peer's memory: after a restart, ranks that were lost or fell behind receive the state of the training
 * from those that still hold it, and no step is repeated.
 *
 * <p>{@link dev.resiliency.state.LiveState} is for state that is the same on all active ranks, and for state of
 * which each holds a shard.
 */
@NullMarked
package dev.resiliency.state;

import org.jspecify.annotations.NullMarked;
