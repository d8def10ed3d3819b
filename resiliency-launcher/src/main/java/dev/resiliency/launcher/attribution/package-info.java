/**
 * Why a job was interrupted: typed facts, gathered by the agent of each node beside its own thread, and rules that judge them.
 *
 * <p>Below the prefix of the job's agents, {@code n} is a number that the store counts up:
 *
 * <table>
 * <caption>Keys</caption>
 * <tr><th>key</th><th>what it is</th><th>who writes it</th></tr>
 * <tr><td>{@code faults}</td><td>counter of facts: their numbers are the order in which the store learned of them</td>
 *     <td>each agent, before it looks for evidence</td></tr>
 * <tr><td>{@code faults/n}</td><td>a {@link dev.resiliency.launcher.attribution.Fact} with its evidence, as JSON; the last
 *     1,000</td><td>the agent that has noticed it</td></tr>
 * <tr><td>{@code reports}</td><td>counter of reports</td><td>the lowest living agent</td></tr>
 * <tr><td>{@code reports/n}</td><td>a {@link dev.resiliency.launcher.attribution.CycleReport}, as JSON; the last 100</td>
 *     <td>the lowest living agent</td></tr>
 * </table>
 *
 * <p>Two agents may take themselves for the lowest for a moment. A report is claimed by the number of its first fact, so that
 * both write it once.
 */
@NullMarked
package dev.resiliency.launcher.attribution;

import org.jspecify.annotations.NullMarked;
