package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.signal.HandledSignal;
import dev.resiliency.inprocess.internal.signal.JvmSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The signals by which this process is asked to leave its job, while a call of a wrapper lasts. The first one asks for
 * it; a second one, or the end of the grace, ends the rank at once and then the process, as the signal would have done.
 *
 * <p>A signal comes on a thread of the JVM, which may wait: for the end of the grace, and then for the end of the rank.
 * A rank that has not ended by then, since its function does not stop, ends with the process.
 *
 * <p>Threads: those of the JVM, such as {@code SIGTERM handler}. One asks the rank to leave, waits for the end of the
 * grace, and ends the rank and the process.
 */
final class LeaveSignals implements AutoCloseable {
    /** Added to the number of a signal, it is the exit code of a process that the signal has ended. */
    private static final int EXIT_CODE = 128;

    private static final Logger LOG = SafeLog.of("dev.resiliency.inprocess");

    private final Map<String, Duration> graces;
    private final Duration limit;
    private final IntConsumer exit;
    private final List<HandledSignal> handled = new ArrayList<>();
    /** Counted down when the call has ended. */
    private final CountDownLatch ended = new CountDownLatch(1);
    /** The first signal; null before. Guarded by this. */
    private @Nullable JvmSignal first;
    /** The signal of which the process ends; null if it does not. Guarded by this. */
    private @Nullable JvmSignal last;
    /** Null until the rank takes part in its job. Guarded by this. */
    private @Nullable Rank rank;
    /** Written by the caller's thread, when it knows what its job has made of this process. */
    private volatile LogPrefix prefix;

    /**
     * Creates the signals of one call; none is handled yet.
     *
     * @param graces the signals, without {@code SIG}, and the grace of each
     * @param limit how long a rank may take to end when it must
     * @param exit ends the process with this code
     */
    LeaveSignals(Map<String, Duration> graces, Duration limit, LogPrefix prefix, IntConsumer exit) {
        this.graces = graces;
        this.limit = limit;
        this.prefix = prefix;
        this.exit = exit;
    }

    /** What the signals reach. */
    private record Rank(Consumer<String> leave, Consumer<Throwable> raise) {}

    /**
     * Handles the signals from now on.
     *
     * @throws ResiliencyException if that is impossible; names the signal
     */
    LeaveSignals begin() {
        try {
            graces.forEach(this::handle);
        } catch (RuntimeException e) {
            handled.forEach(HandledSignal::close);
            throw e;
        }
        return this;
    }

    private void handle(String name, Duration grace) {
        HandledSignal signal;
        try {
            JvmSignal known = JvmSignal.of(name);
            signal = HandledSignal.begin(known, () -> receive(known, grace));
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw new ResiliencyException(
                    "leaveOn: the signal %s cannot be handled (%s): choose another one, or start the JVM without -Xrs"
                            .formatted(name, e.getMessage()),
                    e);
        }
        handled.add(signal);
        if (signal.isIgnored()) {
            LOG.warn(
                    "{} this process ignores SIG{} since its start, as under nohup or in the background of a script: it cannot"
                            + " ask this rank to leave",
                    prefix,
                    name);
        }
    }

    /**
     * Connects the rank, once it takes part in its job; a signal that came before asks it now.
     *
     * @param leave asks it to leave on purpose
     * @param raise makes it leave at once
     */
    synchronized void connect(LogPrefix ofRank, Consumer<String> leave, Consumer<Throwable> raise) {
        prefix = ofRank;
        rank = new Rank(leave, raise);
        if (first != null) {
            leave.accept(first.name());
        }
        if (last != null) {
            raise.accept(interrupt(last));
        }
    }

    /** Returns whether a signal has come. */
    synchronized boolean isAsked() {
        return first != null;
    }

    /** Handles a signal; returns after the end of the call, or when the process ends. */
    void receive(JvmSignal signal, Duration grace) {
        if (ask(signal)) {
            LOG.info(
                    "{} received {}: it leaves the job at the next safe point or with the next restart, in {} s at the latest",
                    prefix,
                    signal,
                    grace.toMillis() / 1e3);
            if (hasEndedWithin(grace)) {
                return;
            }
            LOG.warn("{} no safe point or restart within {} s: this rank ends now", prefix, grace.toMillis() / 1e3);
        } else {
            LOG.warn("{} second signal ({}): this rank ends now", prefix, signal);
        }
        endAtOnce(signal);
        if (!hasEndedWithin(limit)) {
            exit.accept(EXIT_CODE + signal.number());
        }
    }

    private synchronized boolean ask(JvmSignal signal) {
        if (first != null) {
            return false;
        }
        first = signal;
        if (rank != null) {
            rank.leave().accept(signal.name());
        }
        return true;
    }

    private synchronized void endAtOnce(JvmSignal signal) {
        if (last == null) {
            last = signal;
            if (rank != null) {
                rank.raise().accept(interrupt(signal));
            }
        }
    }

    private static InterruptedException interrupt(JvmSignal signal) {
        return new InterruptedException(signal + " ends this process, so its rank left the job");
    }

    private boolean hasEndedWithin(Duration time) {
        try {
            return ended.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Handles the signals as before the call; ends the process if one of them has ended the rank. */
    @Override
    public void close() {
        handled.forEach(HandledSignal::close);
        ended.countDown();
        JvmSignal endsProcess;
        synchronized (this) {
            endsProcess = last;
        }
        if (endsProcess != null) {
            exit.accept(EXIT_CODE + endsProcess.number());
        }
    }
}
