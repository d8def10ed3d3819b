package dev.resiliency.store.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A timer whose time passes only when a test advances it. */
final class FakeTimer implements Timer {
    private final List<FakeAlarm> alarms = new ArrayList<>();
    private Duration now = Duration.ZERO;

    private final class FakeAlarm implements Alarm {
        private final Duration due;
        private final Runnable task;

        FakeAlarm(Duration due, Runnable task) {
            this.due = due;
            this.task = task;
        }

        @Override
        public void cancel() {
            alarms.remove(this);
        }
    }

    @Override
    public Alarm schedule(Duration delay, Runnable task) {
        FakeAlarm alarm = new FakeAlarm(now.plus(delay), task);
        alarms.add(alarm);
        return alarm;
    }

    @Override
    public long nanoTime() {
        return now.toNanos();
    }

    /** Lets time pass, and runs the tasks that become due. */
    void advance(Duration duration) {
        Duration end = now.plus(duration);
        for (Optional<FakeAlarm> due = nextDue(end); due.isPresent(); due = nextDue(end)) {
            FakeAlarm alarm = due.get();
            now = alarm.due.compareTo(now) > 0 ? alarm.due : now;
            alarms.remove(alarm);
            alarm.task.run();
        }
        now = end;
    }

    /** Lets time pass in which nothing runs, as in a process that is suspended or starved. */
    void stall(Duration duration) {
        now = now.plus(duration);
    }

    private Optional<FakeAlarm> nextDue(Duration end) {
        return alarms.stream()
                .filter(alarm -> alarm.due.compareTo(end) <= 0)
                .min(Comparator.comparing(alarm -> alarm.due));
    }

    /** Returns the number of pending tasks. */
    int pending() {
        return alarms.size();
    }
}
