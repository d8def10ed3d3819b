package dev.resiliency.store.internal;

import dev.resiliency.store.Store;
import dev.resiliency.store.spi.Operation;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import org.slf4j.LoggerFactory;

/**
 * The state of a store. Not thread-safe: one thread, or one lock, owns it, its sessions and its timer's tasks.
 *
 * <p>Everything happens in steps: a request, a timeout or the end of a session. A step runs to its end before another
 * begins, and that makes batches atomic: who is woken by an operation waits in {@code woken} until the batch that
 * woke him has itself ended or has to wait.
 *
 * <table>
 * <caption>Where to find what</caption>
 * <tr><td>{@link Entries}</td><td>keys, what they hold, and who waits for them to exist</td></tr>
 * <tr><td>{@link Barriers}</td><td>arrivals, and the sets that barriers depend on</td></tr>
 * <tr><td>{@link Watches}</td><td>who is told of changes</td></tr>
 * <tr><td>{@link Operations}</td><td>what each operation does to these</td></tr>
 * <tr><td>{@link Request}</td><td>a batch on its way</td></tr>
 * <tr><td>{@link KeyspaceSession}</td><td>last will, lease, and how a session ends</td></tr>
 * </table>
 */
public final class Keyspace {
    private final Timer timer;
    private final Queue<Request> woken = new ArrayDeque<>();
    private final Map<Long, KeyspaceSession> sessions = new HashMap<>();
    private final SplittableRandom sessionIds = new SplittableRandom(new SecureRandom().nextLong());
    private final RateLimitedLog warnings =
            new RateLimitedLog(LoggerFactory.getLogger(Keyspace.class), System::nanoTime);
    private final Limits limits;
    private final long maxResultBytes;
    private final Usage usage;
    private final Watches watches;
    private final Entries entries;
    private final Operations operations;

    /** An empty keyspace, which takes no more than this. */
    public Keyspace(Timer timer, Limits limits) {
        this.timer = timer;
        this.limits = limits;
        this.maxResultBytes = limits.of(Store.Limit.FRAME_BYTES);
        this.usage = new Usage(limits);
        this.watches = new Watches(limits, usage);
        this.entries = new Entries(limits, usage, watches, woken::add);
        Barriers barriers = new Barriers(limits, usage, entries, woken::add);
        this.operations = new Operations(entries, barriers, watches, warnings, this::renew);
    }

    /** Opens a session, which hears through the output what the keyspace has to say to it. */
    public KeyspaceSession open(SessionOutput output) {
        long id;
        do {
            id = sessionIds.nextLong();
        } while (id == 0 || sessions.containsKey(id));
        KeyspaceSession session = new KeyspaceSession(this, id, output);
        sessions.put(id, session);
        return session;
    }

    /** What it holds at the moment. */
    public Holdings holdings() {
        int waiting = 0;
        for (KeyspaceSession session : sessions.values()) {
            waiting += session.waiting().count();
        }
        return new Holdings(entries.count(), usage.bytes(), sessions.size(), waiting, watches.count());
    }

    /**
     * Takes bytes for something that is kept beside the keyspace; they count like its own, until they are given back.
     *
     * @param name what it is, for the error
     * @throws dev.resiliency.store.StoreRequestException if that would be over the limit
     */
    public void take(long bytes, String name) {
        usage.take(bytes, name);
    }

    /** Gives back bytes that were taken. */
    public void giveBack(long bytes) {
        usage.giveBack(bytes);
    }

    /** Ends all sessions with the keyspace: none of them is told, and no last will is carried out. */
    public void close() {
        List.copyOf(sessions.values()).forEach(KeyspaceSession::close);
    }

    Timer timer() {
        return timer;
    }

    Limits limits() {
        return limits;
    }

    /** How many bytes the results of a request may have: what a frame may have, looked up once for all requests. */
    long maxResultBytes() {
        return maxResultBytes;
    }

    Usage usage() {
        return usage;
    }

    Entries entries() {
        return entries;
    }

    Operations operations() {
        return operations;
    }

    /** Lets those go on whose wait ended in this step; they may wake others. */
    void advanceWoken() {
        for (Request request = woken.poll(); request != null; request = woken.poll()) {
            request.advance();
        }
    }

    void forget(KeyspaceSession session) {
        watches.removeAll(session);
        sessions.remove(session.id());
    }

    private void renew(Operation.Renew renew) {
        KeyspaceSession session = sessions.get(renew.session());
        if (session != null) {
            session.renew();
        }
    }
}
