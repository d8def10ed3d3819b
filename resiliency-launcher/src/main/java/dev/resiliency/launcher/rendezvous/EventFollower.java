package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.Change;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes on what happens in a job until its end, from whichever store it lives on. Confined to one thread. */
public final class EventFollower {
    /** For how long it looks for the store on which the job goes on: agents wait for a silent one for three times their lease. */
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final Duration PAUSE = Duration.ofMillis(200);
    /** Nothing is due, but a wait has a limit. */
    private static final Duration LONG = Duration.ofHours(1);

    private final String jobId;
    private final Election.Dial dial;
    private final Consumer<? super JobEvent> listener;
    /** What was passed on last: a store that is founded anew has most of what the lost one had. */
    private final Set<String> passed = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > EventLog.MOST + 1;
        }
    });

    /** Where the job goes on. Written by the thread of the store. */
    private volatile List<StoreSeat> successors = List.of();

    /** What a watch has reported: an event, or why there are no more. */
    private record Report(
            @Nullable JobEvent event, @Nullable StoreException failure) {}

    /**
     * Creates a follower.
     *
     * @param dial connects to the stores on which the job goes on
     * @param listener receives the events that are kept, oldest first, and then each new one
     */
    public EventFollower(String jobId, Election.Dial dial, Consumer<? super JobEvent> listener) {
        this.jobId = jobId;
        this.dial = dial;
        this.listener = listener;
    }

    /**
     * Follows the job.
     *
     * @param session on the store on which it lives now; stays open
     * @throws StoreException if there is no job of this name, or its store is lost, and nobody founds it anew
     */
    public void follow(SessionStore session) throws InterruptedException {
        new JobControl(session, jobId).checkThatJobExists();
        StoreException lost = passOn(session);
        while (lost != null) {
            try (SessionStore next = next(lost)) {
                lost = passOn(next);
            }
        }
    }

    /** Passes on what is new in a store; returns why it is lost, or null at the end of the job. */
    private @Nullable StoreException passOn(SessionStore session) throws InterruptedException {
        BlockingQueue<Report> reports = new LinkedBlockingQueue<>(); // written by the thread of the store
        session.onLost(failure -> reports.add(new Report(null, failure)));
        Batch batch = NodeSession.storeOf(session, jobId).batch();
        batch.add(new Operation.Watch(Keys.WORLD, change -> {
            if (change instanceof Change.Written world) {
                successors = AgentWorld.read(world.value().text()).successors();
            }
        }));
        batch.add(new Operation.Watch(Keys.PLACE, change -> {
            JobPlace place = change instanceof Change.Written written ? JobPlace.read(written.value()) : null;
            if (place != null && !place.isAt(session)) {
                successors = List.of(place.seat());
                reports.add(new Report(null, new StoreException("the job has moved to " + place.address())));
            }
        }));
        batch.add(new Operation.WatchPrefix(Keys.EVENT_PREFIX, change -> {
            if (change instanceof Change.Written written) {
                reports.add(new Report(JobEvent.read(Keys.numberOfEvent(written.key()), written.value()), null));
            }
        }));
        batch.send();
        while (true) {
            Report report = reports.poll(LONG.toMillis(), TimeUnit.MILLISECONDS);
            if (report == null) {
                continue;
            }
            if (report.event() == null) {
                return report.failure();
            }
            if (passed.add(report.event().time()
                    + report.event().node()
                    + report.event().text())) {
                listener.accept(report.event());
            }
            if (report.event().kind() == JobEvent.Kind.JOB_ENDED) {
                return null;
            }
        }
    }

    private SessionStore next(StoreException lost) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        List<StoreSeat> candidates = successors;
        while (!candidates.isEmpty() && System.nanoTime() - deadline < 0) {
            for (StoreSeat seat : candidates) {
                SessionStore store = storeAt(seat);
                if (store != null) {
                    return store;
                }
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
        throw new StoreException(
                candidates.isEmpty()
                        ? "the store of the job is lost, perhaps since the agent that hosts it was stopped: "
                                + lost.getMessage()
                        : "the store of the job is lost, and not founded anew at any of %s".formatted(candidates),
                lost);
    }

    /** Returns a session on the store of a successor; null if the job does not live there. */
    private @Nullable SessionStore storeAt(StoreSeat seat) throws InterruptedException {
        SessionStore store = null;
        boolean isThere = false;
        try {
            store = dial.connect(seat);
            JobPlace place = JobPlace.of(store, jobId);
            isThere = place != null && place.isAt(store);
            return isThere ? store : null;
        } catch (StoreException notYet) {
            return null;
        } finally {
            if (store != null && !isThere) {
                store.close();
            }
        }
    }
}
