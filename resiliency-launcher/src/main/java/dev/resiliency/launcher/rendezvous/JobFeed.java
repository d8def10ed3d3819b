package dev.resiliency.launcher.rendezvous;

import dev.resiliency.launcher.rendezvous.JobView.NodeRanks;
import dev.resiliency.launcher.rendezvous.JobView.Numbered;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Follows a job as its agents write it: who looks gets what has changed since they looked last. Nothing is polled; the store pushes
 * each change. Safe for use by many threads: all fields are guarded by the lock of this object, which nobody holds for long.
 */
public final class JobFeed {
    private static final int MOST_REPORTS = 100;

    private final String jobId;
    private final Map<String, Value> values = new HashMap<>();
    private final Map<String, IndexSet> sets = new HashMap<>();
    private final TreeMap<Integer, Node> nodes = new TreeMap<>();
    private final Map<Integer, Seat> seats = new HashMap<>();
    private final Map<Integer, Versioned<NodeRanks>> ranks = new HashMap<>();
    private final TreeMap<Long, Versioned<JobEvent>> events = new TreeMap<>();
    private final TreeMap<Long, Versioned<String>> reports = new TreeMap<>();
    /** Grows with each change. */
    private long version;
    /** The version in which the status last changed: all but ranks, events and reports. */
    private long statusVersion;

    private @Nullable JobStatus status;
    private @Nullable Terms terms;
    private @Nullable String lost;
    private boolean isLive;

    private record Versioned<T>(long version, T value) {}

    private JobFeed(String jobId) {
        this.jobId = jobId;
    }

    /**
     * Begins to follow a job, which need not exist yet.
     *
     * @param session of the store; it must stay open as long as the feed is used
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a lost store is reported by the session
    public static JobFeed open(SessionStore session, String jobId) {
        JobFeed feed = new JobFeed(jobId);
        SessionStore store = NodeSession.storeOf(session, jobId);
        session.onLost(reason -> feed.lost(String.valueOf(reason.getMessage())));
        List<Operation<?>> watches = new ArrayList<>();
        Stream.concat(JobStatus.VALUES.stream(), JobStatus.SETS.stream())
                .forEach(key -> watches.add(new Operation.Watch(key, feed.onChange(feed::keep))));
        watches.add(prefix(Keys.NODE_PREFIX, feed, feed::node));
        watches.add(prefix(Keys.SEAT_PREFIX, feed, feed::seat));
        watches.add(prefix(Keys.RANK_PREFIX, feed, feed::ranks));
        watches.add(prefix(Keys.EVENT_PREFIX, feed, feed::event));
        watches.add(prefix(Keys.REPORT_PREFIX, feed, feed::report));
        store.submit(watches, store.timeout()).whenComplete((done, failure) -> {
            feed.goLive();
            if (failure != null) {
                feed.lost(String.valueOf(failure.getMessage()));
            }
        });
        return feed;
    }

    /** All that was written before this feed was opened has come. */
    private synchronized void goLive() {
        isLive = true;
    }

    /** Returns the name of the job. */
    public String jobId() {
        return jobId;
    }

    private static Operation<?> prefix(String prefix, JobFeed feed, BiConsumer<String, @Nullable Value> handler) {
        return new Operation.WatchPrefix(prefix, feed.onChange(change -> {
            String name = change.key().substring(prefix.length());
            if (change instanceof Change.Written written) {
                handler.accept(name, written.value());
            } else if (change instanceof Change.Deleted) {
                handler.accept(name, null);
            }
        }));
    }

    private Consumer<Change> onChange(Consumer<Change> handler) {
        return change -> {
            synchronized (this) {
                version++;
                try {
                    handler.accept(change);
                } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException foreign) {
                    // Written by another version of the agent, or by a stranger: what is understood is shown.
                }
                notifyAll();
            }
        };
    }

    private void statusChanged() {
        statusVersion = version;
        status = null;
    }

    private void keep(Change change) {
        if (change instanceof Change.Written written) {
            values.put(written.key(), written.value());
            if (written.key().equals(Keys.TERMS)) {
                readTerms(written.value().text());
            }
        } else if (change instanceof Change.Joined joined) {
            sets.merge(joined.key(), joined.members(), IndexSet::union);
        }
        statusChanged();
    }

    private void readTerms(String text) {
        try {
            terms = Terms.read(text);
        } catch (IllegalArgumentException otherVersion) {
            lost = otherVersion.getMessage();
        }
    }

    private void node(String name, @Nullable Value value) {
        int arrival = Integer.parseInt(name);
        if (value != null) {
            nodes.put(arrival, Node.read(arrival, value.text()));
            statusChanged();
        }
    }

    private void seat(String name, @Nullable Value value) {
        int arrival = Integer.parseInt(name.substring(name.indexOf('/') + 1));
        int cycle = Integer.parseInt(name.substring(0, name.indexOf('/')));
        Seat known = seats.get(arrival);
        if (value != null && (known == null || known.cycle() <= cycle)) {
            seats.put(arrival, Seat.read(value.text()));
            statusChanged();
        }
    }

    private void ranks(String name, @Nullable Value value) {
        int arrival = Integer.parseInt(name);
        if (value == null) {
            ranks.remove(arrival);
        } else {
            ranks.put(
                    arrival,
                    new Versioned<>(version, new NodeRanks(arrival, value.text(), System.currentTimeMillis(), isLive)));
        }
    }

    private void event(String name, @Nullable Value value) {
        long number = Long.parseLong(name);
        if (value == null) {
            events.remove(number);
        } else {
            events.put(number, new Versioned<>(version, JobEvent.read(number, value)));
        }
    }

    private void report(String name, @Nullable Value value) {
        long number = Long.parseLong(name);
        if (value == null) {
            reports.remove(number);
        } else {
            reports.put(number, new Versioned<>(version, value.text()));
            while (reports.size() > MOST_REPORTS) {
                reports.pollFirstEntry();
            }
        }
    }

    private synchronized void lost(String reason) {
        version++;
        lost = reason;
        notifyAll();
    }

    /**
     * Waits until something has changed.
     *
     * @param since a version that the caller has seen
     * @return whether something has, within the limit
     */
    public synchronized boolean awaitChange(long since, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (version <= since) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** Returns the job as it is, and what has changed since a version; 0 for all. */
    public synchronized JobView view(long since) {
        return new JobView(
                jobId,
                version,
                statusVersion > since ? status() : null,
                ranks.values().stream()
                        .filter(each -> each.version() > since)
                        .map(Versioned::value)
                        .toList(),
                events.values().stream()
                        .filter(each -> each.version() > since)
                        .map(Versioned::value)
                        .toList(),
                reports.entrySet().stream()
                        .filter(each -> each.getValue().version() > since)
                        .map(each -> new Numbered(each.getKey(), each.getValue().value()))
                        .toList(),
                lost);
    }

    private @Nullable JobStatus status() {
        if (status == null && terms != null) {
            int cycle = Cycles.number(value(Keys.CYCLE));
            Map<Integer, Seat> current = new HashMap<>(seats);
            current.values().removeIf(seat -> seat.cycle() != cycle);
            status = JobStatus.of(
                    terms, this::value, key -> sets.getOrDefault(key, IndexSet.empty()), nodes.values(), current);
        }
        return status;
    }

    private Value value(String key) {
        return values.getOrDefault(key, Value.empty());
    }
}
