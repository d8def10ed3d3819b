package dev.resiliency.inprocess;

import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.Tls;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens a rank's session in the store through which the ranks of its job coordinate. Corresponds to
 * nvidia-resiliency-ext's {@code store_factory}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StoreFactory {
    /**
     * The environment variable by which a launcher names the store of the job, {@code HOST:PORT}: a standalone store server,
     * such as its own agent hosts.
     */
    String VARIABLE = "RESILIENCY_STORE";

    /**
     * Opens a new session for this rank; the wrapper closes it.
     *
     * @param environment the identity of this rank, and the address of the job's store
     * @param call how many times this process has called a wrapper before: 0 the first time. Ranks that call their
     *     wrapper again must not meet in a store that the previous call is about to close
     * @throws dev.resiliency.store.StoreException if the store cannot be reached or started
     */
    SessionStore open(Environment environment, int call) throws InterruptedException;

    /**
     * Closes the session of a rank that leaves its job before the end. Closes the store by default; a factory whose
     * rank hosts the store for others keeps hosting it.
     *
     * @param store what {@link #open} returned
     * @param mayBeFirst whether others may still be about to connect
     */
    default void leave(SessionStore store, boolean mayBeFirst) {
        store.close();
    }

    /**
     * Returns the factory that a wrapper has by default: {@link #external} if the launcher names a store in {@link #VARIABLE},
     * otherwise {@link #hostedByRankZero}. A wrapper also follows its agent if the agents of the job found the store anew.
     *
     * @param variables the environment variables of this process
     * @param connectTimeout how long to keep trying to connect
     * @throws IllegalArgumentException if the variable is set and is not {@code HOST:PORT}
     */
    static StoreFactory byDefault(Map<String, String> variables, Duration connectTimeout) {
        String address = variables.getOrDefault(VARIABLE, "");
        if (address.isEmpty()) {
            return hostedByRankZero(connectTimeout);
        }
        StoreAddress store = StoreAddress.parse(address, 0)
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s is \"%s\": it must be HOST:PORT, as in 10.0.0.1:29400 or [fd00::1]:29400"
                                .formatted(VARIABLE, address)));
        return external(store.host(), store.port(), connectTimeout);
    }

    /**
     * Returns a factory with which rank 0 hosts the store at {@link Environment#masterAddress} and {@link
     * Environment#masterPort}, and the others connect to it. When its process is lost, the others found the store anew, or
     * end with {@link dev.resiliency.store.StoreLostException}: see {@link Wrapper.Builder#refound}. In a job of one rank with port 0 the store is in memory.
     *
     * <p>A process can replace any rank, in the first call of a wrapper only, since each call has a store of
     * its own. When all processes have ended, so has the store: processes that are started then form a new job.
     *
     * @param connectTimeout how long to keep trying to connect: rank 0 must start within this time
     */
    static StoreFactory hostedByRankZero(Duration connectTimeout) {
        return new HostedByRankZero(connectTimeout);
    }

    /**
     * Returns a factory for a standalone store server, with which the loss of any rank's process is a fault like any
     * other. A process can replace any rank, and the job goes on in its next generation when all have ended.
     *
     * <p>One server serves many jobs, which their {@linkplain Environment#jobId ids} keep apart. It remembers which are
     * complete: each run of a job needs an id of its own.
     *
     * @param connectTimeout how long to keep trying to connect
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
     * As {@link #external(String, int, Duration)}, with a secret and TLS that do not come from environment variables. The
     * monitor process receives both from its rank.
     *
     * @param secret null for none
     * @param tls null for none
     */
    static StoreFactory external(
            String host, int port, Duration connectTimeout, @Nullable Secret secret, @Nullable Tls tls) {
        return (environment, call) -> TcpStore.builder()
                .name("r" + environment.rank())
                .host(host)
                .port(port)
                .secret(secret)
                .tls(tls)
                .connectTimeout(connectTimeout)
                .connect();
    }
}
