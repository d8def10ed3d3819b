/**
 * The restart protocol: the keys that the ranks of a job share, and the rules by which they agree when to stop, that
 * all have stopped, who continues, and who joins. Nothing here blocks.
 *
 * <p>A job lives in generations: the processes that found one together, and those that join them. Ranks are named by
 * their initial rank: the rank that its launcher gave a founder, and a number from the world size on for a joiner, which
 * is never used twice in a generation. {@code k} is an iteration; the time before the first one of a generation is
 * iteration -1, and the initial barrier is its iteration barrier.
 *
 * <p>Of the job:
 *
 * <pre>
 * generation            value    number, first iteration and restarts before of the current generation
 * finished              set      not empty once the job is complete
 * moved                 value    the host of the store on which the job lives instead of this one
 * </pre>
 *
 * <p>Of a generation, below its number:
 *
 * <pre>
 * run                   value    a random id, written by its first process, confirmed by all
 * job                   claim    the version of the protocol and the number of founders
 * ranks/r               claim    the session of the process that is founder r, whether it lives or not
 * terminated            set      ranks that have died or left, also before they were admitted. Watched by all, always
 * host                  value    why the rank that hosts the store has died or left; the first to write it decides
 * keys/r                value    the keys of rank r, by which the rank assignment groups it
 * ids                   counter  of the numbers that were given to joiners
 * joined                set      joiners that have announced themselves, ever. Watched by the leader
 * admitted/r            value    the iteration that admits joiner r, and its position in the world before
 * latest                value    the last decided iteration and its members
 * leaving               set      ranks that are to leave on purpose, ever. Watched by the first active rank
 * promised              set      the numbers of processes that agents have promised
 * broken                set      those that will not come
 * k/outcome             claim    how iteration k ends: the first writer decides for all, once. Watched by all in it
 * k/records             value    why: appended lines, each before the claim that it explains; limited in size. Those of
 *                                iteration -1 say why ranks have left before the first
 * k/completed           barrier  active members whose function has returned; complete, it claims the outcome
 * k/safepoint           claim    the step of the function at which all active members stop
 * k/safe                barrier  active members that have stopped there; complete, it claims the outcome
 * k/begun               set      active members that have made a step in k
 * k/beginning           claim    the first rank that has reported a safe point as its first step, and its number
 * k/paused, k/resumed   set      those that have paused their hang protection before that, and resumed it
 * k/stalled             set      members that made no progress before all had made a step
 * k/stopped             barrier  members that have stopped and are ready for the next iteration; excuses the terminated
 * k/waiting             value    for how long and why the leader waits for joiners before it decides k
 * k/decision            claim    the leader that decided who takes part in k
 * k/world               value    its decision, for the next leader
 * k/members             set      the members of k
 * k/active              set      the active ones
 * k/state               parts    its decision, with a part for each rank, at the position of the rank in the world before
 * k/user/…              any      keys of the wrapped function
 * seats/r               value    where rank r would host the store
 * successors            value    the seats of those that host it next, as the latest decision names them
 * ceded                 set      voters that accept whatever is decided next: they have died or leave
 * k/successors          value    the seats that the decision names
 * k/entered             barrier  members of the iteration before that have accepted the world of k; half complete it
 * k/acknowledged        barrier  members that have accepted the completion of k; half complete it
 * termination           barrier  lets the store's host outlive the others; excuses the terminated
 * </pre>
 *
 * <p>The rules, which the code cites by number:
 *
 * <ol>
 *   <li><b>Fault.</b> A rank with a fault in iteration {@code k} appends its record and claims {@code k/outcome} as
 *       interrupted, in one batch. The first claim stands: after the completion a fault comes too late to matter. What its
 *       function threw as it was stopped is appended before it arrives at {@code k/stopped}: it counts if it alone explains
 *       why others have lost their connections.
 *   <li><b>Death.</b> A rank that dies or leaves joins {@code terminated}, and the outcome of the iteration that it is in
 *       is claimed as interrupted, in one batch. A rank that leaves does this itself. For one that dies the store does
 *       it, as the last will of its session, which the rank renews in the same step in which it learns the decision for
 *       the next iteration; the monitor process of the rank does the same, and may be first. Of the rank that hosts the
 *       store, it is also said why, in {@code host} and in the same batch: the others know it if the store ends with its
 *       process, and give it up at once if that process is being ended.
 *   <li><b>Comparison.</b> A rank that sees a member of its iteration in {@code terminated} while the outcome is open
 *       claims it as interrupted: it compares when it enters the iteration and whenever the set grows. So no death is
 *       lost between a decision and the renewal of a last will. A joiner that dies while it waits is no member, and
 *       interrupts nobody. Each decision names who is no member any more and who is a new one, so that nothing that
 *       grows with the job is sent to each rank.
 *   <li><b>Completion.</b> An active rank whose function has returned arrives at {@code k/completed}; the arrival that
 *       completes the barrier claims {@code k/outcome} as completed and, if it wins, marks the job as {@code finished},
 *       in the same step: a fault and the last arrival never both win, and nobody founds a job again that is complete.
 *       The dead are not excused: their work is missing. All ranks, reserves included, wait for the outcome, never for
 *       this barrier.
 *   <li><b>Stopped.</b> After abort, stop, finalize and health check a rank arrives at {@code k/stopped}, which is
 *       complete when every member of {@code k} has arrived or is terminated. It does not matter when a rank dies, and no
 *       one arrives for the dead.
 *   <li><b>Decision.</b> The leader is the lowest member of the iteration before that is not terminated (of the founders
 *       before the first), as each rank sees it; it changes when the set grows. When the barrier is complete, the leader
 *       reads {@code terminated} and {@code joined} in one batch, appends those who wait to the world before, computes
 *       the assignment, and publishes it in one batch that confirms {@code terminated} as it was read and claims {@code
 *       k/decision}: if a rank has died meanwhile it reads again, and if another leader was first, that decision stands.
 *       Only the leader's reading counts, so ranks never disagree about the world. A member that the assignment leaves
 *       out joins {@code terminated}; a joiner that it leaves out keeps waiting.
 *   <li><b>Fencing.</b> A rank that was declared dead but is still alive gets {@link
 *       dev.resiliency.store.SessionExpiredException} for every request, and leaves.
 *   <li><b>Identity.</b> The first request of a process finds {@code finished} empty, claims {@code generation} as it
 *       knows it, reads {@code run} and {@code terminated}, claims {@code job} and then {@code ranks/r}, and sets its
 *       last will, in one batch that ends at what another has won. So a process of a complete job, of another world or
 *       version writes nothing: no last will, no arrival, no end. One whose rank is taken, or was declared dead, is a
 *       joiner (or is refused, if the job may not grow). Until a process is a founder or a joiner, nothing else is done
 *       for it; its monitor process starts to watch after that, and writes only where it finds the same {@code run}, or the
 *       job complete or in a later generation, as the keys of this one may be gone by then.
 *       Where rank 0 hosts the store, the others wait for its claim, so that no stranger founds the job. A founder finds
 *       {@code finished} empty and claims {@code generation} once more with its first arrival: it may be so late that the
 *       others have begun, or even completed, without it.
 *   <li><b>Joining.</b> A joiner draws its number from {@code ids}, or has that of a promise. In one batch it sets its
 *       last will (to join {@code terminated}, nothing else), publishes its keys and joins {@code joined}. Then it waits
 *       for {@code admitted/r}, {@code finished} or another {@code generation}. Once it is admitted it sends what every
 *       rank sends on entering; if it dies before that, rule 3 makes up for it.
 *   <li><b>Enough.</b> The leader waits before it decides: for a minimum of active ranks, and after a loss for a
 *       replacement. It reads again whenever somebody joins or dies. If agents make promises, it waits for a replacement
 *       only while one is open: promised, neither joined nor broken. What it waits for is in {@code k/waiting}, so that
 *       the others wait that much longer. If the minimum is not reached in time, the decision ends the job for all.
 *   <li><b>Missing founders.</b> When a founder has waited for long enough at the initial barrier and is the lowest that
 *       has arrived, it adds the missing to {@code terminated}, in a batch that confirms who has arrived. One that
 *       arrives at that moment is counted in, or finds itself among the terminated and enrolls again, as a joiner. If all
 *       that have arrived have died, a joiner that waits does the same, and the generation is over.
 *   <li><b>Growth.</b> The leader of the running iteration, and nobody else, watches {@code joined}. It assigns the
 *       ranks on trial; if the active world would be larger it claims the outcome as interrupted, with a record that
 *       names who waits. The first claim stands, so a fault at the same moment costs one restart, not two. If the
 *       policy is to admit joiners at safe points, the first active rank does so in place of the leader, and instead of
 *       the claim it publishes a step, by rule 14.
 *   <li><b>Generations.</b> When all members of {@code latest} (all founders before the first decision) are terminated
 *       and {@code finished} is empty, whoever waits or comes moves {@code generation} by compare-and-set: one wins, all
 *       enroll there. Its first iteration is the next multiple of 100, so that the number of an iteration only grows in a
 *       job's life. The first leader of a generation deletes the keys of the one before, and whoever claims one first those
 *       of the one before that, which may have had no leader; the lowest that parts deletes those of a complete job.
 *   <li><b>Safe point.</b> An active rank whose function has passed a step watches {@code k/safepoint}. To stop all
 *       ranks where none is in a collective, the first active rank claims it, in one batch with the records that
 *       explain it: with its own latest step and a margin, so that every rank learns of the step before it comes to it.
 *       Each stops at exactly that step and arrives at {@code k/safe}; the arrival that completes the barrier claims
 *       {@code k/outcome} as interrupted, in the same step. So nobody is interrupted on the way there, and no step is
 *       lost or repeated. A rank that had passed the step claims the outcome at once, with a record, and the first
 *       active rank does so if not all have come in time. A fault that comes first wins as always.
 *   <li><b>Leaving.</b> A rank that is to leave on purpose appends why to {@code k/records} and joins {@code leaving},
 *       in one batch; the first active rank publishes a safe point for it. When the iteration is interrupted, by that
 *       or anything else, the rank stops as all do, but does not arrive at {@code k/stopped}: it empties its last will
 *       and joins {@code terminated}. So it is no member of the next iteration, and interrupts nobody.
 *   <li><b>First step.</b> An active rank that has made a step, or whose function has ended, joins {@code k/begun}; one
 *       that pauses its hang protection before that, but not to wait for others, joins {@code k/paused}, and {@code k/resumed}
 *       afterwards. Nobody watches these. One whose first step is a safe point claims {@code k/beginning} with it; if another step stands there,
 *       the ranks do not continue the same training, which is a fault. A rank that has made no progress for a part of the soft timeout joins {@code k/stalled}, and
 *       reads whether a living active member has made no step. If so it does not count as hung, within the first-step
 *       timeout, and beyond it while that member has paused; then it names that member as the reason. A joiner that has
 *       caused two interruptions before its first step, as it failed or as others had joined {@code k/stalled} when that step was due,
 *       leaves as by rule 15, if the job is large enough without it, and enrolls again, but does not join {@code joined} for a while.
 *   <li><b>Hang.</b> If it is a rank without progress that claims the outcome, the value says so. Each other rank that makes none
 *       then appends what it does and where it stands to {@code k/records}, before it arrives at {@code k/stopped}; whoever reads
 *       the records with the decision judges who has waited for whom. Waits take no more than a quarter of the room.
 *   <li><b>Voters.</b> Where rank 0 hosts the store and monitor processes run, the members of a world vote on the next one. Each
 *       remembers its store, the last world that it knows to be agreed, the last that it has accepted, and whether it has
 *       accepted the completion; its monitor process remembers it, too.
 *   <li><b>Agreed.</b> A member that learns the decision about {@code k} remembers that it accepts it and arrives at {@code
 *       k/entered}, which at least half of the members of the iteration before complete. Then it calls its function, so nothing is
 *       decided, and nothing completes, in a world that is not agreed. Who has died or leaves joins {@code ceded} instead, and
 *       counts as arrived. The first world of a job needs no agreement.
 *   <li><b>Acknowledged.</b> A member that learns that {@code k} is complete remembers that it accepts it and arrives at {@code
 *       k/acknowledged}. Hooks run, and calls return, when half of the members have.
 *   <li><b>Successors.</b> A decision names up to four living members, those on other hosts first. Their servers listen, and hold
 *       nothing but votes. A member whose store is lost or about to end, or does not agree, offers its vote to them in turn; when
 *       it is its own turn it stands. A vote is for good: whoever has given it accepts nothing from an earlier store, and gives it
 *       again only to one with a higher number. Whoever has ceded is not counted.
 *   <li><b>Foundation.</b> The base is the last world that any vote knows to be agreed, or that half of the members before it have
 *       accepted as far as the votes show. More than half of its members must have come, without those that have accepted a next
 *       world; but that is void once all its members have voted, none has ceded or knows it to be agreed, and too few have accepted it
 *       or none has its decision: its functions have not been called, and no store can be founded on it. Then the successor writes the job into its store as it was when all had stopped in the base, as the next
 *       generation; or as complete, if one that counts has accepted that.
 *   <li><b>Going on.</b> The members of the base meet there, at {@code k/stopped} of the base. One whose monitor process has voted is
 *       terminated at once; one that has not come, after the heartbeat timeout. One that is no member, or has missed the base, joins.
 *   <li><b>Those who come.</b> Who waits to join follows {@code successors} without a vote. The host of a store that was founded anew
 *       writes {@code moved} into any store at the address of rank 0: a process that founds the job there joins it here, and keeps its
 *       store, which tells others.
 * </ol>
 *
 * <p>What no rank has written is not trusted: an unknown outcome reads as interrupted, and a record that cannot be read
 * is skipped.
 *
 * <p>{@code docs/model/restart.pml} is a model of rules 1 to 7 for the model checker Spin, {@code docs/model/join.pml}
 * one of rules 3 to 13, {@code docs/model/firststep.pml} one of rule 16 but for the joiner that leaves, {@code
 * docs/model/ending.pml} one of rules 14, 15 and 17 but for their limits, and {@code docs/model/refound.pml} one of rules 18
 * to 22. Rules 23 and 24 are not modelled.
 */
@NullMarked
package dev.resiliency.inprocess.internal.protocol;

import org.jspecify.annotations.NullMarked;
