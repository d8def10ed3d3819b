/**
 * Recovery from a peer's memory. {@code IterationState} is one iteration's view of the {@code Replica} that the process
 * keeps; {@code Recovery} brings it up to date. A state has a replicated {@code Part} and, if it is sharded, the {@code
 * Part} that is this rank's shard.
 *
 * <ol>
 *   <li>Each rank publishes its {@code Holding} through the store of the iteration. Active rank 0 reads all of them and
 *       publishes one {@code RecoveryDecision}, and for each rank that needs the state its {@code Sources}: so every other rank
 *       reads two values, however many ranks there are.
 *   <li>A rank that needs the state fetches its {@code Chunks} with a {@code Download} from the {@code ChunkServer}s of
 *       its sources; it serves each chunk on as soon as it has it.
 *   <li>Each rank publishes the digest of what it holds; rank 0 compares them and publishes the verdict. Until then
 *       nobody's state changes but that of the ranks that receive it.
 *   <li>If the verdict is against the state, all ranks meet at a barrier before they give it up and read the checkpoint:
 *       when a rank has died meanwhile, that barrier stays incomplete, the restart comes, and the state is still there.
 * </ol>
 *
 * <p>If the state is sharded, {@code BackgroundCopies} follow: from time to time each rank copies its parts in its own
 * memory, and its buddy, which {@code Buddies} has chosen, downloads the copy of the shard. Until all ranks say in the
 * {@code CopyExchange} that they have theirs, the {@code Copies} of the time before are kept. In the next recovery a {@code
 * Holding} names them, and the {@code RecoveryDecision} is for the latest {@code Version} of which every part is left.
 *
 * <p>A rank that is lost or fails meanwhile needs no handling here: the restart ends all waits.
 */
@NullMarked
package dev.resiliency.state.internal;

import org.jspecify.annotations.NullMarked;
