package dev.resiliency.store.internal;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A keyspace that the threads of one process share. The monitor of this object is its lock and guards all fields.
 *
 * <p>The output of the keyspace goes into mailboxes under the lock and is delivered after releasing it, so that
 * listeners may use the store.
 *
 * <p>Thread: {@code resiliency-store-timer}, for the limits of waits and leases, from the first one on until the store is
 * closed.
 */
public final class LocalKeyspace {
    private final Keyspace keyspace = new Keyspace(this::schedule, Limits.defaults());
    private final Set<Mailbox> filled = new LinkedHashSet<>();
    private int sessions;
    private @Nullable ScheduledThreadPoolExecutor timer;

    /** Runs a step under the lock, then delivers its output. */
    public void step(Runnable action) {
        List<Mailbox> mailboxes;
        synchronized (this) {
            action.run();
            mailboxes = List.copyOf(filled);
            filled.clear();
        }
        mailboxes.forEach(Mailbox::drain);
    }

    /** Opens a session. */
    public synchronized KeyspaceSession open(SessionOutput output) {
        sessions++;
        return keyspace.open(output);
    }

    /** Notes the end of a session; the timer's thread ends with the last one. */
    synchronized void ended() {
        sessions--;
        if (sessions == 0 && timer != null) {
            timer.shutdownNow();
            timer = null;
        }
    }

    synchronized void post(Mailbox mailbox, Runnable delivery) {
        mailbox.put(delivery);
        filled.add(mailbox);
    }

    private Timer.Alarm schedule(Duration delay, Runnable task) {
        if (timer == null) {
            timer = new ScheduledThreadPoolExecutor(1, runnable -> {
                Thread thread = new Thread(runnable, "resiliency-store-timer");
                thread.setDaemon(true);
                return thread;
            });
            timer.setRemoveOnCancelPolicy(true);
        }
        LocalAlarm alarm = new LocalAlarm(task);
        alarm.future = timer.schedule(() -> step(alarm), Nanos.of(delay), TimeUnit.NANOSECONDS);
        return alarm;
    }

    /** A scheduled task; the lock guards its state. */
    private static final class LocalAlarm implements Timer.Alarm, Runnable {
        private final Runnable task;
        private @Nullable Future<?> future;
        private boolean isCancelled;

        LocalAlarm(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            // Guards against the race with a cancellation while the timer's thread waits for the lock.
            if (!isCancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            isCancelled = true;
            if (future != null) {
                future.cancel(false);
            }
        }
    }
}
