package dev.resiliency.store.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a session that wait, and the alarm for the first of them that has waited long enough.
 *
 * <p>A request that goes leaves the alarm as it is: it finds out when it rings who is still there. Thousands of sessions
 * come to every barrier and go on, and to set and cancel an alarm for each took longer than to wake them.
 */
final class WaitingRequests {
    private final Timer timer;
    // In the order in which they came. Most sessions have one that waits, which needs no table.
    private Map<Long, Request> requests = Map.of();
    private Timer.@Nullable Alarm alarm;
    private long alarmTime; // by the timer's clock

    WaitingRequests(Timer timer) {
        this.timer = timer;
    }

    void add(long id, Request request) {
        if (requests.isEmpty()) {
            requests = Map.of(id, request);
        } else {
            requests = requests instanceof LinkedHashMap ? requests : new LinkedHashMap<>(requests);
            requests.put(id, request);
        }
        ringBy(request.deadline());
    }

    void remove(long id) {
        if (requests.size() > 1) {
            requests.remove(id);
        } else if (requests.containsKey(id)) {
            requests = Map.of();
        }
    }

    /** Null if no request of this id waits. */
    @Nullable
    Request find(long id) {
        return requests.isEmpty() ? null : requests.get(id); // a number that is looked up is an object first
    }

    int count() {
        return requests.size();
    }

    /** Withdraws all. */
    void end() {
        List.copyOf(requests.values()).forEach(Request::withdraw);
        if (alarm != null) {
            alarm.cancel();
        }
    }

    private void ringBy(long deadline) {
        if (alarm != null) {
            if (alarmTime - deadline <= 0) {
                return;
            }
            alarm.cancel();
        }
        alarmTime = deadline;
        alarm = timer.schedule(Duration.ofNanos(deadline - timer.nanoTime()), this::ring);
    }

    private void ring() {
        alarm = null;
        long now = timer.nanoTime();
        for (Request request : List.copyOf(requests.values())) {
            if (request.deadline() - now <= 0) {
                request.timeOut();
            }
        }
        requests.values().forEach(request -> ringBy(request.deadline()));
    }
}
