package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.RanksJob;
import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.SeatDial;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Loses a store on this machine, and founds it anew, in an internal job of one voter: a real loss is the first of its process, and
 * would spend most of its time on loading classes.
 */
final class LossRehearsal {
    /** Of this process alone: another may have a port by now that this one has just given back. */
    private static final String SCOPE = "rehearsal-" + ProcessHandle.current().pid();
    /** The end of a call waits for the rehearsal. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static final int LOST = 0;
    private static final int VOTER = 1;
    /** The voter alone, as a decision about it is written. */
    private static final String WORLD = VOTER + ":0/-1:\n";

    private LossRehearsal() {}

    /** @throws StoreException if this machine has no port or no time for it */
    static void run() throws InterruptedException {
        TcpStoreServer lost = serve();
        StoreSeat first = new StoreSeat(LOST, lost.host(), lost.port());
        try (SessionStore session = connect(first)) {
            CountDownLatch loss = new CountDownLatch(1);
            session.onLost(reason -> loss.countDown());
            lost.close();
            if (!loss.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } finally {
            lost.close();
        }
        tryAgain(first);
        try (TcpStoreServer next = serve()) {
            found(first, new StoreSeat(VOTER, next.host(), next.port()));
        }
    }

    private static TcpStoreServer serve() throws InterruptedException {
        return TcpStoreServer.builder().scope(SCOPE).secret(null).tls(null).start();
    }

    private static void access(TcpStore.Builder store) {
        store.secret(null).tls(null).reconnectGrace(Duration.ZERO); // whose loss is not logged
    }

    private static SessionStore connect(StoreSeat seat) throws InterruptedException {
        return SeatDial.of(SCOPE, SCOPE, LossRehearsal::access).connect(seat);
    }

    /** Fails as a client does that reconnects to a process that has ended. */
    private static void tryAgain(StoreSeat seat) throws InterruptedException {
        TcpStore.Builder store = TcpStore.builder()
                .scope(SCOPE)
                .host(seat.host())
                .port(seat.port())
                .connectTimeout(Duration.ofMillis(1));
        access(store);
        try {
            store.connect().close(); // if somebody else has this port now
        } catch (StoreException refused) {
            // as it should be
        }
    }

    private static void found(StoreSeat lost, StoreSeat next) throws InterruptedException {
        RanksJob job = new RanksJob(new Identity(VOTER, VOTER + 1, Generation.FIRST, SCOPE), SCOPE, null);
        KnownWorld world = new KnownWorld(Term.FIRST, 0, IndexSet.of(VOTER), WORLD);
        Founded founded = Election.hold(
                new Election.Voting(job, next, LIMIT, LIMIT),
                LossRehearsal::connect,
                Vote.first(world),
                List.of(lost, next),
                given -> {});
        try (SessionStore session = founded.session()) {
            new RestartStore(job.in(session), job.identity(founded.term()), List.of(), founded.seat())
                    .member()
                    .lease(LIMIT);
        }
    }
}
