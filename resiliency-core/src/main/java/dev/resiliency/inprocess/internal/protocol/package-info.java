/**
 * The restart protocol: the keys that the ranks of a job share, and the rules by which they agree when to stop, that
 * all have stopped, and who continues. Nothing here blocks.
 *
 * <p>Ranks are named by their initial rank. {@code k} is an iteration; the time before the first one is iteration -1, and
 * the initial barrier is its iteration barrier.
 *
 * <pre>
 * run                   value    the random id of this run of the job, written by its first rank, confirmed by all
 * job                   claim    the version of the protocol and the number of ranks
 * ranks/r               claim    the session of the process that is rank r, whether it lives or not
 * terminated            set      ranks that have died or left, since the job began. Watched by all, always
 * host                  value    why rank 0, which may host the store, has died or left; the first to write it decides
 * keys/r                value    the keys of rank r, by which the rank assignment groups it
 * k/outcome             claim    how iteration k ends: the first writer decides for all, once. Watched by all in it
 * k/records             value    why: appended lines, each before the claim that it explains; limited in size. Those of
 *                                iteration -1 say why ranks have left before the first
 * k/completed           barrier  active members whose function has returned; complete, it claims the outcome
 * k/stopped             barrier  ranks that have stopped and are ready for the next iteration; excuses the terminated
 * k/decision            claim    the leader that decided who takes part in k
 * k/world               value    its decision, for the next leader
 * k/active              set      the active members of k
 * k/state               parts    its decision, with a part for each rank
 * k/user/…              any      keys of the wrapped function
 * termination           barrier  lets the store's host outlive the others; excuses the terminated
 * heartbeats/r          counter  counted up by the monitor process of rank r, where the store keeps no sessions
 * </pre>
 *
 * <p>The rules, which the code cites by number:
 *
 * <ol>
 *   <li><b>Fault.</b> A rank with a fault in iteration {@code k} appends its record and claims {@code k/outcome} as
 *       interrupted, in one batch. The first claim stands: after the completion a fault comes too late to matter.
 *   <li><b>Death.</b> A rank that dies or leaves joins {@code terminated}, and the outcome of the iteration that it is in
 *       is claimed as interrupted, in one batch. A rank that leaves does this itself. For one that dies the store does
 *       it, as the last will of its session, which the rank renews in the same step in which it learns the decision for
 *       the next iteration. Where the store keeps no sessions, the monitor process of the rank does it, or that of its
 *       sibling. Of rank 0, which may host the store, it is also said why, in {@code host} and in the same batch: the
 *       others know it if the store ends with its process.
 *   <li><b>Comparison.</b> Each decision says how many ranks it counts as terminated. A rank that sees more of them
 *       while the outcome of its iteration is open claims it as interrupted: it compares when it enters the iteration and
 *       whenever the set grows. So no death is lost between a decision and the renewal of a last will.
 *   <li><b>Completion.</b> An active rank whose function has returned arrives at {@code k/completed}; the arrival that
 *       completes the barrier claims {@code k/outcome} as completed, in the same step, so a fault and the last arrival
 *       never both win. The dead are not excused: their work is missing. All ranks, reserves included, wait for the
 *       outcome, never for this barrier.
 *   <li><b>Stopped.</b> After abort, stop, finalize and health check a rank arrives at {@code k/stopped}, which is
 *       complete when every rank has arrived or is terminated. It does not matter when a rank dies, and no one arrives
 *       for the dead.
 *   <li><b>Decision.</b> The leader is the lowest rank that is not terminated, as each rank sees it; it changes when the
 *       set grows. When the barrier is complete, the leader reads {@code terminated}, computes the assignment, and
 *       publishes it in one batch that confirms the set as it was read and claims {@code k/decision}: if a rank has died
 *       meanwhile it reads again, and if another leader was first, that decision stands. Only the leader's reading
 *       counts, so ranks never disagree about the world. A rank that the assignment leaves out joins {@code terminated}.
 *   <li><b>Fencing.</b> A rank that was declared dead but is still alive gets {@link
 *       dev.resiliency.store.SessionExpiredException} for every request, and leaves.
 *   <li><b>Identity.</b> The first request of a rank reads {@code run} and {@code terminated}, claims {@code job} and then
 *       {@code ranks/r}, and sets its last will, in one batch that ends at a claim which another has won. So a rank of
 *       another world or version, a second process of a rank, and a rank that has died or left are refused at once, and
 *       write nothing: no last will, no arrival, no end. Until a rank is admitted, nothing else is done for it; its
 *       monitor process starts to watch after that, and writes only where it finds the same {@code run}. Where rank 0
 *       hosts the store, the others wait for its claim, so that no stranger founds the job.
 * </ol>
 *
 * <p>What no rank has written is not trusted: an unknown outcome reads as interrupted, and a record that cannot be read
 * is skipped.
 *
 * <p>{@code docs/model/restart.pml} is a model of rules 1 to 7 for the model checker Spin.
 */
@NullMarked
package dev.resiliency.inprocess.internal.protocol;

import org.jspecify.annotations.NullMarked;
