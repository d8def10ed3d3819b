package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a job lives that has moved: says the store that was founded anew, and one that is where the job was before.
 *
 * @param term of the store; what an earlier one says no longer counts
 */
public record JobPlace(Term term, StoreSeat seat) {
    Value text() {
        return Value.of(term + " " + seat.write());
    }

    static @Nullable JobPlace read(Value value) {
        String[] parts = value.text().split(" ", 2);
        return parts.length < 2
                ? null
                : new JobPlace(Term.read(parts[0]), StoreSeat.readAll(parts[1]).get(0));
    }

    /**
     * Opens a session on the store on which a job lives.
     *
     * @param address where it lives, or has lived
     * @param name of the session
     * @param limit how long to wait for each store
     */
    public static SessionStore connect(StoreAddress address, String jobId, String name, Duration limit)
            throws InterruptedException {
        SessionStore store = dial(address, name, limit);
        StoreAddress there;
        try {
            there = elsewhere(store, jobId);
        } catch (StoreException | InterruptedException e) {
            store.close();
            throw e;
        }
        if (there == null) {
            return store;
        }
        store.close();
        return dial(there, name, limit);
    }

    private static SessionStore dial(StoreAddress address, String name, Duration limit) throws InterruptedException {
        return TcpStore.builder()
                .name(name)
                .host(address.host())
                .port(address.port())
                .connectTimeout(limit)
                .connect();
    }

    /** Returns where a job lives if it has moved away from this store; null if it has not. */
    static @Nullable StoreAddress elsewhere(SessionStore session, String jobId) throws InterruptedException {
        JobPlace place = of(session, jobId);
        return place == null || place.isAt(session) ? null : place.address();
    }

    /** Returns where a store says that a job lives; null if it says nothing. */
    static @Nullable JobPlace of(SessionStore session, String jobId) throws InterruptedException {
        SessionStore store = NodeSession.storeOf(session, jobId);
        return read(store.execute(Keys.peek(Keys.PLACE), store.timeout()));
    }

    /** Returns whether it is the store of this session. */
    boolean isAt(SessionStore session) {
        return address().equals(session.address());
    }

    StoreAddress address() {
        return new StoreAddress(seat.host(), seat.port(), "");
    }

    /**
     * Tells a store that is where the job was before, and those who come there. One that was founded later is left alone: a host that
     * was suspended may not know that the job lives there.
     */
    public void tell(SessionStore session, String jobId) throws InterruptedException {
        SessionStore store = NodeSession.storeOf(session, jobId);
        JobPlace said = of(session, jobId);
        while (said == null || said.term().compareTo(term) < 0) {
            Value expected = said == null ? Value.empty() : said.text();
            Value now = store.execute(new Operation.CompareAndSet(Keys.PLACE, expected, text()), store.timeout());
            said = read(now);
        }
    }
}
