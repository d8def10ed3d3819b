package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of a rank in its job, from the claim of its number to its end. Only here it is decided how the session
 * ends: with a goodbye, which revokes the last will, only if no other rank waits for this one. Otherwise the session is
 * abandoned, and the store carries out the last will, as if the process had died.
 *
 * <p>Confined to the caller of the wrapper.
 */
final class Membership {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private final RestartStore job;
    private final int rank;
    private Standing standing = Standing.NONE;
    private int iteration = RestartStore.BEFORE_FIRST;

    Membership(RestartStore job, int rank) {
        this.job = job;
        this.rank = rank;
    }

    private enum Standing {
        /** The rank has claimed nothing, or was refused, and must write nothing. */
        NONE,
        /** The store may have carried out the claim; until it answers, the rank must write nothing else. */
        CLAIMING,
        /** The others wait for the rank. */
        MEMBER,
        /** The others know that they need not wait: the job is complete, or this rank has left and they know why. */
        ENDED
    }

    /** Claims the number of this rank; returns the id of the run. */
    String claim(Settings settings) throws InterruptedException {
        standing = Standing.CLAIMING;
        try {
            String run = RankClaim.await(job, settings);
            standing = Standing.MEMBER;
            return run;
        } catch (RankFencedException refused) {
            standing = Standing.NONE;
            throw refused;
        }
    }

    /** Notes that this rank is in, or has left, this iteration. */
    void enter(int number) {
        iteration = number;
    }

    /** Notes that the others know of the end. */
    void end() {
        standing = Standing.ENDED;
    }

    /** Tells the others why this rank leaves, unless they know; waits a few seconds for the store, despite interrupts. */
    void leave(Throwable reason) {
        if (standing != Standing.MEMBER) {
            return;
        }
        try {
            await(job.terminations()
                    .leave(
                            iteration,
                            new Interruption(
                                    rank, Faults.kindOfLeaving(reason), Clock.SYSTEM.now(), Faults.textOf(reason))));
            standing = Standing.ENDED;
        } catch (ExecutionException | TimeoutException | RuntimeException untold) {
            reason.addSuppressed(untold);
        }
    }

    private static void await(Future<?> told) throws ExecutionException, TimeoutException {
        long deadline = Clock.SYSTEM.nanoTime() + LIMIT.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    told.get(deadline - Clock.SYSTEM.nanoTime(), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether no other rank waits for this one. */
    boolean isOver() {
        return standing == Standing.NONE || standing == Standing.ENDED;
    }

    /** Ends the session without a goodbye if others may wait for this rank. The store must then be closed. */
    void abandonUnlessOver(SessionStore store) {
        if (!isOver()) {
            LOG.warn(
                    "rank {} could not tell the others that it leaves; they learn it from the store as from a process"
                            + " that has died",
                    rank);
            store.abandon();
        }
    }
}
