package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Change;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a job. Not safe for use by several threads.
 *
 * @param store the session with the prefix of the job
 */
record EventReader(SessionStore session, SessionStore store) {
    /** Nothing is due, but a wait has a limit. */
    private static final Duration LONG = Duration.ofHours(1);

    /** Returns the events that are kept, oldest first. */
    List<JobEvent> all() throws InterruptedException {
        List<String> keys = store.keys(Keys.EVENT_PREFIX);
        List<Operation<?>> reads = new ArrayList<>(keys.stream().map(Keys::peek).toList());
        List<@Nullable Object> values = store.batch(store.timeout(), reads.toArray(Operation[]::new));
        List<JobEvent> events = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            // An agent that has written a newer one may just have deleted it.
            if (values.get(i) instanceof Value value && value.size() > 0) {
                events.add(JobEvent.read(Keys.numberOfEvent(keys.get(i)), value));
            }
        }
        return events;
    }

    /** What a watch has reported: an event, or why there are no more. */
    private record Report(
            @Nullable JobEvent event, @Nullable StoreException failure) {}

    /**
     * Passes on the events that are kept, oldest first, and then each new one, until that of the end of the job.
     *
     * @throws StoreException if the store is lost before
     */
    void follow(Consumer<? super JobEvent> listener) throws InterruptedException {
        BlockingQueue<Report> reports = new LinkedBlockingQueue<>(); // written by the thread of the store
        session.onLost(failure -> reports.add(new Report(null, failure)));
        store.watchPrefix(Keys.EVENT_PREFIX, change -> {
            if (change instanceof Change.Written written) {
                reports.add(new Report(JobEvent.read(Keys.numberOfEvent(written.key()), written.value()), null));
            }
        });
        while (true) {
            Report report = reports.poll(LONG.toMillis(), TimeUnit.MILLISECONDS);
            if (report == null) {
                continue;
            }
            if (report.failure() != null) {
                throw new StoreException(
                        "the store of the job is lost, perhaps since the agent that hosts it was stopped: "
                                + report.failure().getMessage(),
                        report.failure());
            }
            if (report.event() != null) {
                listener.accept(report.event());
                if (report.event().kind() == JobEvent.Kind.JOB_ENDED) {
                    return;
                }
            }
        }
    }
}
