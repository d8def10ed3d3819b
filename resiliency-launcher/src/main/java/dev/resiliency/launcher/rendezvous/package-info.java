/**
 * How the agents of a job's nodes find each other in the store: who takes part, and in which order. Nothing is polled: each
 * agent waits for its own seat, and all watch a few keys.
 *
 * <p>Below {@code agents/JOB/}; {@code a} is the number of an arrival, counted from 0 and never used twice, {@code k} the
 * number of a cycle:
 *
 * <table>
 * <caption>Keys</caption>
 * <tr><th>key</th><th>what it is</th><th>who writes it</th></tr>
 * <tr><td>{@code terms}</td><td>what all nodes must agree on: see {@link dev.resiliency.launcher.rendezvous.Terms}</td>
 *     <td>the first agent; the others confirm it</td></tr>
 * <tr><td>{@code arrivals}</td><td>counter of arrivals</td><td>each agent</td></tr>
 * <tr><td>{@code nodes/a}</td><td>name, address and given rank of a node</td><td>its agent</td></tr>
 * <tr><td>{@code names/NAME}</td><td>the latest arrival of a node, which takes the place of those before: see {@link NameClaim}</td>
 *     <td>its agent</td></tr>
 * <tr><td>{@code came}</td><td>set: all arrivals that take part</td><td>each agent</td></tr>
 * <tr><td>{@code gone}</td><td>set: agents that have died, or left before the end</td><td>the last will of each, itself, or the next agent of its node</td></tr>
 * <tr><td>{@code done}</td><td>set: agents that have left after their ranks have all completed</td><td>each agent</td></tr>
 * <tr><td>{@code ready/k}</td><td>set: agents whose processes of earlier cycles have all ended</td><td>each agent</td></tr>
 * <tr><td>{@code completed/k}</td><td>set: agents whose ranks have all completed in this cycle</td><td>each agent</td></tr>
 * <tr><td>{@code outcome/k}</td><td>claim: how a cycle ends, {@code called} if the next one is called, or {@code completed}</td>
 *     <td>with {@code cycle} or {@code end}</td></tr>
 * <tr><td>{@code tables}</td><td>set: the numbers of the decisions about seats, from 0</td><td>the lowest living arrival</td></tr>
 * <tr><td>{@code seats/k/a}</td><td>the seat of a node: see {@link dev.resiliency.launcher.rendezvous.Seat}</td>
 *     <td>with {@code tables}</td></tr>
 * <tr><td>{@code masters/k}</td><td>where rank 0 may host a store: see {@link dev.resiliency.launcher.rendezvous.Master}</td>
 *     <td>the agent of group rank 0</td></tr>
 * <tr><td>{@code cycle}</td><td>{@code k}, who has called it, and why</td>
 *     <td>the first that sees why, by compare-and-set</td></tr>
 * <tr><td>{@code world}</td><td>who votes on the next store: see {@code AgentWorld}</td><td>the lowest living arrival, by
 *     compare-and-set</td></tr>
 * <tr><td>{@code servers/a}</td><td>where an agent would host the store</td><td>it</td></tr>
 * <tr><td>{@code worlds/n/entered}, {@code acknowledged}</td><td>barriers of those that have accepted who votes, and that the job has
 *     completed; half complete them</td><td>each voter</td></tr>
 * <tr><td>{@code ceded}</td><td>set: those that accept whatever is decided next</td><td>as they leave</td></tr>
 * <tr><td>{@code place}</td><td>where the job lives, once it has moved</td><td>the host of that store</td></tr>
 * <tr><td>{@code drains/a}</td><td>why a node is to leave</td><td>{@link dev.resiliency.launcher.rendezvous.JobControl}</td></tr>
 * <tr><td>{@code left}</td><td>set: of those that are {@code gone}, the arrivals that have said goodbye</td><td>as they leave before the end</td></tr>
 * <tr><td>{@code leaving}</td><td>set: all arrivals that were asked to leave; they get no seat any more</td><td>with {@code drains/a}</td></tr>
 * <tr><td>{@code stopping}</td><td>set: all arrivals that are about to leave, asked or not</td><td>each agent</td></tr>
 * <tr><td>{@code unhealthy/NAME}</td><td>why a node fails its checks; absent for a healthy one</td><td>its agent, which may not have
 *     arrived</td></tr>
 * <tr><td>{@code range}</td><td>how many nodes take part: see {@link dev.resiliency.launcher.rendezvous.NodeRange}; absent as long
 *     as the job was not scaled</td><td>{@link dev.resiliency.launcher.rendezvous.JobControl}</td></tr>
 * <tr><td>{@code waiting}</td><td>set: arrivals that got no seat at once, since enough nodes take part</td><td>with {@code tables}</td></tr>
 * <tr><td>{@code restarts}</td><td>when restarts were granted, for the whole job</td><td>who asks for one, by compare-and-set</td></tr>
 * <tr><td>{@code end}</td><td>exit code and reason of a job that no agent may start again; empty before</td>
 *     <td>the first that knows, by compare-and-set</td></tr>
 * <tr><td>{@code events}</td><td>counter of events</td><td>whoever writes one</td></tr>
 * <tr><td>{@code events/n}</td><td>what has happened: see {@link dev.resiliency.launcher.rendezvous.JobEvent}; the last 1,000</td>
 *     <td>the agent that it concerns, and those who change a job from outside</td></tr>
 * <tr><td>{@code ranks/a}</td><td>what a node knows of its ranks: see {@link dev.resiliency.launcher.status.NodeSnapshot}</td>
 *     <td>its agent, when something has changed</td></tr>
 * <tr><td>{@code once/…}</td><td>claim: the session that writes an event which several notice</td><td>the first of them</td></tr>
 * </table>
 *
 * <p>The rules, which the code cites by number:
 *
 * <ol>
 *   <li><b>Coming.</b> An agent that comes joins {@code came}, with its last will to join {@code gone}. In the same batch the agent
 *       that its node had before joins {@code gone}, unless it has ended: of a node, only one agent counts. In each cycle an agent
 *       joins {@code ready/k} once its processes of earlier ones have ended, and waits for {@code seats/k/a}: it reads its own seat
 *       and no other one.
 *   <li><b>Lowest.</b> The lowest arrival that has come and is neither gone nor done seats the nodes, as each agent sees it. Two may
 *       both take themselves for the lowest: one whose number is lower has come, but the other has not learned it; or one counts as
 *       dead, but has not learned it. Rule 4 keeps them apart.
 *   <li><b>Reading.</b> It watches {@code came}, {@code tables} and {@code ready/k}, and reads {@code tables}
 *       before the seats. What it has read is outdated once it is not the lowest any more, {@code tables} has grown by the decision of
 *       another, or it takes part in another cycle: then it reads again.
 *   <li><b>Decision.</b> A decision gives seats to nodes, or lets them wait. It is one batch, which confirms {@code tables} as it was
 *       read, adds the next number, and writes only what is new. So of two decisions that were made from the same seats one
 *       stands, and whoever has lost reads again; no seat and no group rank is given twice.
 *   <li><b>Beginning.</b> A cycle begins when enough nodes stay for its minimum, and all that live, also those that are to leave, are
 *       in {@code ready/k}. If more nodes may come, it waits for them: the last call begins when enough are there, and anew if they are
 *       not any more. The batch confirms {@code gone}, too: no cycle begins with a node that is known to be dead, nor by
 *       the decision of an agent that counts as such. It removes the keys of the
 *       one before.
 *   <li><b>Late nodes.</b> A node that stays and has no seat in a cycle that has begun gets the group rank that it had before, unless
 *       somebody else has it; otherwise the first that nobody has, or only nodes that are gone. Nobody else is disturbed.
 *   <li><b>Room.</b> If as many nodes have seats as may take part, those that come join {@code waiting}, and get a seat when one of
 *       the others is gone or is to leave, or the job is scaled.
 *   <li><b>Leaving.</b> A node that was asked to leave gets no seat any more, and is not counted among those that stay. Who asks adds
 *       it to {@code leaving} before calling a cycle, and agents learn both in that order. Whoever leaves while the job goes on joins
 *       {@code stopping} before its processes end. One that hosts the store keeps it until the others have agreed on who votes without
 *       it and none of them is about to leave, who might not be there to found the next one; or until all have left.
 *   <li><b>Death.</b> An agent that dies joins {@code gone}, by its last will or as by rule 1; one that leaves does so itself, or joins
 *       {@code done} if its ranks have completed. Its seat stays in the table.
 *   <li><b>Completion.</b> An agent whose ranks have all completed joins {@code completed/k}, and stays: if the next cycle is called, its
 *       ranks start again in that one. The lowest ends the job once all that have a seat have joined, but for those that are gone, which
 *       the policy {@code hard} does not excuse unless the ranks have completed their job. The batch confirms {@code tables} and claims
 *       {@code outcome/k}; so does that which calls a cycle, and it confirms that the ranks have not completed their job. So no rank
 *       starts again after the job has completed, and none is left out if another has to.
 *   <li><b>Voters.</b> Unless the store is one of its own, the members of {@code world} vote on the next one: the nodes with which the
 *       first cycle begins, and then those that are there, whenever some come or go. Whoever was a member before accepts a world, arrives
 *       at {@code worlds/n/entered}, and waits for half of those before; those that leave are in {@code ceded}. Meanwhile the lowest
 *       decides nothing. If half do not accept in time, or those that are left are too few to,
 *       those that wait give up the store.
 *   <li><b>Acknowledged.</b> Voters tell their agents that the job has completed once half have arrived at {@code acknowledged}.
 *   <li><b>Foundation.</b> A world names up to four successors, whose servers listen; each keeps a copy of the keys. Agents that lose the
 *       store elect as the package {@code dev.resiliency.inprocess.spi.refound} says. The successor writes its copy as it would be after
 *       the call of the next cycle, which has begun already unless the policy is {@code hard}: whoever is left keeps its seat. Agents go on
 *       under their numbers; who has not come within a lease is {@code gone}. {@code place} says where that is, in the store
 *       itself and in any at the first address, so that those who come there join the job here; one of an earlier number replaces none
 *       of a later.
 *   <li><b>Shortage.</b> An agent that gets no seat within its limit says which nodes have come, unless it is in {@code waiting}.
 * </ol>
 *
 * <p>{@code docs/model/rendezvous.pml} is a model of rules 1 to 9 for the model checker Spin. {@code launched.pml} is one of rules
 * 11 to 14, whose ranks follow in their processes.
 */
@NullMarked
package dev.resiliency.launcher.rendezvous;

import org.jspecify.annotations.NullMarked;
