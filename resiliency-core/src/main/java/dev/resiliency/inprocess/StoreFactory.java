package dev.resiliency.inprocess;

import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStore;
import java.time.Duration;

/**
 * Opens a rank's session in the store through which the ranks of its job coordinate. The guide's {@code store_factory}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StoreFactory {

    /**
     * Opens a session of its own for this rank; the wrapper closes it.
     *
     * @param environment who this rank is, and where the job's store is
     * @param call how often this process has used a wrapper before: 0 the first time. Ranks that use their wrapper again
     *     must not meet in a store that the last use is about to close
     * @throws dev.resiliency.store.StoreException if the store cannot be reached or started
     */
    SessionStore open(Environment environment, int call) throws InterruptedException;

    /**
     * Closes the session of a rank that leaves its job before the end. Closes the store by default; a factory whose rank
     * hosts the store for others goes on hosting it.
     *
     * @param store what {@link #open} returned
     * @param mayBeFirst whether others may still be about to connect
     */
    default void leave(SessionStore store, boolean mayBeFirst) {
        store.close();
    }

    /**
     * The default: rank 0 hosts the store at {@link Environment#masterAddress} and {@link Environment#masterPort}, and
     * the others connect to it. When its process is lost, every other rank ends with
     * {@link dev.resiliency.store.StoreLostException}.
     *
     * @param connectTimeout how long to try to connect: until then rank 0 must have come up
     */
    static StoreFactory hostedByRankZero(Duration connectTimeout) {
        return new HostedByRankZero(connectTimeout);
    }

    /**
     * A store server that runs for itself, so that the loss of any rank's process is a fault like any other. Start one
     * for each run of a job: what an earlier run, or another job, has left in it would be taken for this job's.
     *
     * @param connectTimeout how long to try to connect
     */
    static StoreFactory external(String host, int port, Duration connectTimeout) {
        return (environment, call) -> TcpStore.builder()
                .name("r" + environment.rank())
                .host(host)
                .port(port)
                .connectTimeout(connectTimeout)
                .connect();
    }

    /**
     * A server of PyTorch's TCPStore (PyTorch 2.10 or newer), for a job that has one anyway: one for each run of a job. It
     * notices nobody's death, so the monitor processes do: each reports the death of its own rank, and looks at the
     * heartbeats of the next one that lives. Ranks find out what others do by looking, every 50 ms at least, so restarts
     * take longer, and large jobs load the server.
     *
     * @param connectTimeout how long to try to connect
     */
    static StoreFactory pyTorch(String host, int port, Duration connectTimeout) {
        return (environment, call) -> TcpStore.builder()
                .name("r" + environment.rank())
                .host(host)
                .port(port)
                .connectTimeout(connectTimeout)
                .connectToPyTorch();
    }
}
