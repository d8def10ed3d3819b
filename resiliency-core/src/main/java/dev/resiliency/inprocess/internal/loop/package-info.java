/**
 * The restart loop of one rank: its stages, and what passes between them.
 *
 * <p>A restart after a fault of rank 2, with rank 0 as the leader. A rank asks for its next state a second after its function
 * was called, or when it arrives.
 *
 * <pre>
 * rank 2 (fails)              store                         rank 0 (leader)            rank 1
 *   │ ask for state k+1 ───────▶│◀──────── ask for state k+1 ───│                         │
 *   │                           │◀───────────────────────────── ask for state k+1 ────────│
 *   │                           │                               │                         │
 *   │ record + claim ──────────▶│ k/outcome = INTERRUPTED       │                         │
 *   │◀──────────────────────────│──── push ────────────────────▶│──── push ──────────────▶│
 *   │            last call · abort · stop the worker · finalize · health check            │
 *   │ arrive ──────────────────▶│◀───────── arrive ─────────────│                         │
 *   │                           │◀────────────────────────────── arrive ──────────────────│
 *   │                           │ complete: arrived ∪ terminated ⊇ all                    │
 *   │                           │─── terminated (world) ───────▶│ rank assignment         │
 *   │                           │◀── decision ──────────────────│                         │
 *   │                           │ stands if it is the first, and no rank has gone since   │
 *   │◀──────── own state ───────│────────── own state ─────────▶│                         │
 *   │                           │─────────────────────────────────── own state ──────────▶│
 *   │                           │◀─ remove keys of iteration k-1│                         │
 *   │ function, iteration k+1   │        function, iteration k+1│  function, iteration k+1│
 * </pre>
 *
 * <p>What a stage decides is mostly a function without effects, in a class of its own: {@code Quorum} (are there enough
 * ranks?), {@code Recruiting} (interrupt for those who wait?), {@code FirstStepWait} and {@code HangRule} (who hangs, and who
 * only waits?), {@code Probation} (may a newcomer stay?).
 */
@NullMarked
package dev.resiliency.inprocess.internal.loop;

import org.jspecify.annotations.NullMarked;
