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
 * <tr><td>{@code done}</td><td>set: agents whose ranks have all completed</td><td>each agent</td></tr>
 * <tr><td>{@code ready/k}</td><td>set: agents whose processes of earlier cycles have all ended</td><td>each agent</td></tr>
 * <tr><td>{@code rounds/k}</td><td>claim: which agent has seated the nodes of a cycle</td><td>the lowest living arrival</td></tr>
 * <tr><td>{@code seats/k/a}</td><td>the seat of a node: see {@link dev.resiliency.launcher.rendezvous.Seat}</td>
 *     <td>with {@code rounds/k}; for a node that comes later, the lowest living arrival</td></tr>
 * <tr><td>{@code masters/k}</td><td>where rank 0 may host a store: see {@link dev.resiliency.launcher.rendezvous.Master}</td>
 *     <td>the agent of group rank 0</td></tr>
 * <tr><td>{@code cycle}</td><td>{@code k}, who has called it, and why</td>
 *     <td>the first that sees why, by compare-and-set</td></tr>
 * <tr><td>{@code drains/a}</td><td>why a node is to leave</td><td>{@link dev.resiliency.launcher.rendezvous.JobControl}</td></tr>
 * <tr><td>{@code left}</td><td>set: of those that are {@code gone}, the arrivals that have said goodbye</td><td>as they leave before the end</td></tr>
 * <tr><td>{@code leaving}</td><td>set: all arrivals that were asked to leave; they get no seat any more</td><td>with {@code drains/a}</td></tr>
 * <tr><td>{@code unhealthy/NAME}</td><td>why a node fails its checks; absent for a healthy one</td><td>its agent, which may not have
 *     arrived</td></tr>
 * <tr><td>{@code range}</td><td>how many nodes take part: see {@link dev.resiliency.launcher.rendezvous.NodeRange}; absent as long
 *     as the job was not scaled</td><td>{@link dev.resiliency.launcher.rendezvous.JobControl}</td></tr>
 * <tr><td>{@code waiting}</td><td>set: arrivals that got no seat at once, since enough nodes take part</td><td>the lowest living arrival</td></tr>
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
 * <p>Two agents may both take themselves for the lowest, for a moment: one whose number is lower has arrived, but the other has
 * not seen it. The claims keep each node to one seat. Whoever seats the nodes of a cycle removes the keys of the one before, so
 * that they do not pile up in a job that starts again and again. At worst two nodes that came late get the same group rank; their ranks
 * join all the same, since the job numbers them itself.
 */
@NullMarked
package dev.resiliency.launcher.rendezvous;

import org.jspecify.annotations.NullMarked;
