package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The membership of a process in its job, from its enrollment to its end. Only here it is decided how the session
 * ends: with a goodbye, which revokes the last will, only if no other rank waits for this one. Otherwise the session is
 * abandoned, and the store carries out the last will, as if the process had died.
 *
 * <p>Confined to the caller of the wrapper.
 */
final class Membership {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = SafeLog.of(Membership.class);

    private final SessionStore store;
    private final Settings settings;
    private Standing standing = Standing.NONE;
    /** Null until this process is a member, or waits to become one. */
    private volatile @Nullable RestartStore job;

    private int iteration = RestartStore.BEFORE_FIRST;

    /** Creates the membership of a process that has not come to its job yet; {@code store} has the job's prefix. */
    Membership(SessionStore store, Settings settings) {
        this.store = store;
        this.settings = settings;
    }

    private enum Standing {
        /** The rank has claimed nothing, or was refused or came too late, and must write nothing. */
        NONE,
        /** The store may have carried out the claim; until it answers, the rank must write nothing else. */
        CLAIMING,
        /** The others wait for the rank, or may admit it at any time. */
        MEMBER,
        /** The others know that they need not wait: the job is complete, or this rank has left and they know why. */
        ENDED
    }

    /**
     * Comes to the job, before this process does anything else in it.
     *
     * @param mayJoin whether to join if the job runs, instead of being refused
     * @return what the job has made of this process; empty if the job is complete
     * @throws RankFencedException if the job refuses this process, which must then write nothing
     */
    Optional<Identity> enroll(boolean mayJoin) throws InterruptedException {
        Environment environment = settings.environment();
        Enrollment enrollment = new Enrollment(
                store,
                environment.rank(),
                environment.worldSize(),
                environment.masterAddress(),
                environment.masterPort(),
                settings.timings().barrierTimeout(),
                mayJoin,
                promise());
        standing = Standing.CLAIMING;
        try {
            Optional<Identity> identity = enrollment.enroll().get();
            identity.ifPresent(known -> job = new RestartStore(store, known, List.of()));
            standing = identity.isPresent() ? Standing.MEMBER : Standing.NONE;
            return identity;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RankFencedException refused) {
                standing = Standing.NONE;
                throw refused;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new ResiliencyException("this rank could not join its job: " + e.getCause(), e.getCause());
        }
    }

    /** Returns the number that an agent has promised for this process; empty if none has. */
    private static OptionalInt promise() {
        String number = System.getenv(LaunchedJob.PROMISE_VARIABLE);
        if (number == null || number.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(number));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    LaunchedJob.PROMISE_VARIABLE + " is " + number + ": it must be a number, set by an agent", e);
        }
    }

    /** Notes that this rank is in, or has left, this iteration. */
    void enter(int number) {
        iteration = number;
    }

    /** Notes that the job has another store. */
    void move(RestartStore there) {
        job = there;
    }

    /** Notes that the others know of the end. */
    void end() {
        standing = Standing.ENDED;
    }

    /** Tells the others why this rank leaves, unless they know; waits a few seconds for the store, despite interrupts. */
    void leave(Throwable reason) {
        RestartStore left = job;
        if (standing != Standing.MEMBER || left == null) {
            return;
        }
        try {
            await(left.terminations()
                    .leave(
                            iteration,
                            new Interruption(
                                    left.identity().rank(),
                                    Faults.kindOfLeaving(reason),
                                    Clock.SYSTEM.now(),
                                    Faults.textOf(reason))));
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
    void abandonUnlessOver(SessionStore session) {
        if (!isOver()) {
            LOG.warn(
                    "rank {} could not tell the others that it leaves; they learn it from the store as from a process"
                            + " that has died",
                    settings.environment().rank());
            session.abandon();
        }
    }
}
