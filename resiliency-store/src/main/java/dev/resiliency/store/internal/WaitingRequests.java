package dev.resiliency.store.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The waiting requests of a session, and the alarm for the first of them to time out.
 *
 * <p>A request that ends does not touch the alarm, which finds out which ones are left when it fires. Thousands of
 * sessions pass every barrier, and setting and cancelling an alarm for each took longer than waking them.
 */
final class WaitingRequests {
    private final Timer timer;
    // In order of arrival. Most sessions have a single waiting request, which needs no table.
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

    /** Removes and returns a request; null if none with this id is waiting. */
    @Nullable
    Request find(long id) {
        return requests.isEmpty() ? null : requests.get(id); // looking up a number boxes it
    }

    int count() {
        return requests.size();
    }

    /** Withdraws all requests. */
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
