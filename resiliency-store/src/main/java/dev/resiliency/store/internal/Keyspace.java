package dev.resiliency.store.internal;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * The state of a store. Not thread-safe: one thread, or one lock, owns it, its sessions and the tasks of its timer.
 *
 * <p>Everything happens in steps: a request, a timeout or the end of a session. A step runs to its end before another
 * begins, which makes batches atomic: a request that an operation wakes stays in {@code woken} until the batch with
 * that operation has ended or has to wait.
 *
 * <table>
 * <caption>Where to find what</caption>
 * <tr><td>{@link Entries}</td><td>keys, their contents, and the requests that wait for them to exist</td></tr>
 * <tr><td>{@link Barriers}</td><td>arrivals, and the sets that barriers depend on</td></tr>
 * <tr><td>{@link Watches}</td><td>the listeners to changes</td></tr>
 * <tr><td>{@link Operations}</td><td>the effect of each operation on these</td></tr>
 * <tr><td>{@link Request}</td><td>a batch on its way</td></tr>
 * <tr><td>{@link KeyspaceSession}</td><td>last will, lease, and how a session ends</td></tr>
 * </table>
 */
public final class Keyspace {
    private final Timer timer;
    private final Queue<Request> woken = new ArrayDeque<>();
    private final Map<Long, KeyspaceSession> sessions = new HashMap<>();
    private final SecureRandom sessionIds = new SecureRandom(); // so that no one can compute another's id from its own
    private final SessionTokens tokens = new SessionTokens();
    private final RateLimitedLog warnings = new RateLimitedLog(BackgroundLog.of(Keyspace.class), System::nanoTime);
    private final Limits limits;
    private final long maxResultBytes;
    private final Usage usage;
    private final Work work;
    private final Watches watches;
    private final Entries entries;
    private final Operations operations;

    /** Creates an empty keyspace with these limits. */
    public Keyspace(Timer timer, Limits limits) {
        this.timer = timer;
        this.limits = limits;
        this.maxResultBytes = limits.of(StoreLimit.FRAME_BYTES);
        this.usage = new Usage(limits);
        this.work = new Work(limits);
        this.watches = new Watches(limits, usage);
        this.entries = new Entries(limits, usage, work, watches, woken::add);
        Barriers barriers = new Barriers(limits, usage, entries, woken::add);
        this.operations = new Operations(entries, barriers, watches, work, warnings, this::renew);
    }

    /** Opens a session; the keyspace sends its replies and changes to {@code output}. */
    public KeyspaceSession open(SessionOutput output) {
        long id;
        do {
            id = sessionIds.nextLong();
        } while (id == 0 || sessions.containsKey(id));
        KeyspaceSession session = new KeyspaceSession(this, id, tokens.of(id), output);
        sessions.put(id, session);
        return session;
    }

    /** Returns whether this is, or was, a session of this keyspace, and the token is its own. */
    public boolean isMine(long session, Value token) {
        return tokens.isMine(session, token);
    }

    /** Returns its current contents in numbers. */
    public Holdings holdings() {
        int waiting = 0;
        for (KeyspaceSession session : sessions.values()) {
            waiting += session.waiting().count();
        }
        return new Holdings(entries.count(), usage.bytes(), sessions.size(), waiting, watches.count());
    }

    /**
     * Reserves bytes for something that is kept beside the keyspace; they count like its own until they are given back.
     *
     * @param name what they are for, in the error message
     * @throws dev.resiliency.store.StoreRequestException if that would exceed the limit
     */
    public void take(long bytes, String name) {
        usage.take(bytes, name);
    }

    /** Releases bytes that were {@linkplain #take taken}. */
    public void giveBack(long bytes) {
        usage.giveBack(bytes);
    }

    /** Ends the keyspace and all its sessions, without notifying them and without carrying out last wills. */
    public void close() {
        List.copyOf(sessions.values()).forEach(KeyspaceSession::close);
    }

    Timer timer() {
        return timer;
    }

    Limits limits() {
        return limits;
    }

    /**
     * Returns the most bytes that the results of a request may have: the limit of a frame, looked up once for all
     * requests.
     */
    long maxResultBytes() {
        return maxResultBytes;
    }

    Usage usage() {
        return usage;
    }

    /** Returns the work that the current step has done. */
    Work work() {
        return work;
    }

    Entries entries() {
        return entries;
    }

    Operations operations() {
        return operations;
    }

    /** Resumes the requests whose wait ended in this step; they may wake others. */
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
        if (session != null
                && MessageDigest.isEqual(session.token().bytes(), renew.token().bytes())) {
            session.renew();
        }
    }
}
