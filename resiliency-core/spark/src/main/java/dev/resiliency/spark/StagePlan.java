package dev.resiliency.spark;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStore;
import java.io.Serializable;
import java.time.Duration;
import java.util.HexFormat;
import org.apache.spark.api.java.function.VoidFunction;

/**
 * What the tasks of a stage receive from the driver.
 *
 * @param stage the id of its job
 * @param host of the store
 * @param secret of the store, in hexadecimal. It travels as the function does, which Spark encrypts if it is to
 * @param isLocal whether all ranks run in the process of the driver
 * @param maxResultBytes of a rank
 * @param settings what the user sets beside these
 */
record StagePlan(
        String stage,
        String host,
        int port,
        String secret,
        int ranks,
        boolean isLocal,
        int maxRestarts,
        LostRows lostRows,
        Duration replacementWait,
        long maxResultBytes,
        VoidFunction<Wrapper.Builder> settings)
        implements Serializable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

    /** Connects to the store as {@code name}. */
    TcpStore connect(String name) throws InterruptedException {
        return TcpStore.builder()
                .name(name)
                .host(host)
                .port(port)
                .secret(key())
                .tls(null)
                .connectTimeout(CONNECT_TIMEOUT)
                .connect();
    }

    /** Returns the settings of a rank's wrapper. */
    Wrapper.Builder wrapper(int rank) throws Exception {
        Wrapper.Builder builder = Wrapper.builder()
                .environment(new Environment(rank, ranks, 0, host, port, stage))
                .store(StoreFactory.external(host, port, CONNECT_TIMEOUT, key(), null))
                .callNumber(0)
                .monitorProcess(!isLocal)
                .elasticity(Elasticity.defaults()
                        .minRanks(lostRows == LostRows.WAIT ? ranks : 1)
                        .rendezvousTimeout(replacementWait));
        settings.call(builder);
        return builder;
    }

    private Secret key() {
        return Secret.of(HexFormat.of().parseHex(secret));
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return stage + " at " + host + ":" + port;
    }
}
