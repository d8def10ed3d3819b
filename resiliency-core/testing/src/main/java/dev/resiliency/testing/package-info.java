/**
 * Tests of jobs that restart in process, in three sizes.
 *
 * <ul>
 *   <li>A unit test of the function: {@link dev.resiliency.testing.FakeCallWrapper} stands in for the wrapper, and the
 *       test begins the restart.
 *   <li>A job of real processes on this host: {@link dev.resiliency.testing.ProcessJob} starts, observes and kills them.
 *   <li>Faults inside the ranks: {@link dev.resiliency.testing.FaultInjector} throws, hangs, exits or sends the signals
 *       that end its own process.
 * </ul>
 *
 * <p>For test scope: no program needs this package in production.
 */
@NullMarked
package dev.resiliency.testing;

import org.jspecify.annotations.NullMarked;
