package dev.resiliency.launcher.health;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.tcp.TcpStore;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** Compares the clock of this host with that of the host of the store: times in logs are of no use if they differ. */
final class ClockCheck implements HostCheck {
    private static final String SUBJECT = "clock";

    private final String host;
    private final int port;
    private final Duration tolerance;
    private final Duration limit;

    ClockCheck(String host, int port, Duration tolerance, Duration limit) {
        this.host = host;
        this.port = port;
        this.tolerance = tolerance;
        this.limit = limit;
    }

    @Override
    public Finding run() throws InterruptedException {
        try (TcpStore store = TcpStore.builder()
                .name("clock")
                .host(host)
                .port(port)
                .connectTimeout(limit)
                .timeout(limit)
                .reconnectGrace(Duration.ZERO)
                .connect()) {
            return judge(HostClock.ask(store, limit).get());
        } catch (StoreException e) {
            return Finding.warning(SUBJECT, "it was not compared: " + e.getMessage());
        } catch (ExecutionException e) {
            return Finding.warning(
                    SUBJECT,
                    e.getCause() instanceof StoreTimeoutException
                            ? "it was not compared, since nobody answers for the clock of the store's host: a rank hosts the store, or a server without the launcher"
                            : "it was not compared: " + e.getCause());
        }
    }

    /** What may be due to a slow answer is not held against the node. */
    Finding judge(HostClock.Skew skew) {
        boolean isAhead = !skew.ahead().isNegative();
        Duration difference = skew.ahead().abs();
        String text = "it is %s %s that of the store's host"
                .formatted(Durations.format(difference), isAhead ? "ahead of" : "behind");
        return difference.minus(skew.uncertainty()).compareTo(tolerance) <= 0
                ? Finding.ok(SUBJECT, text)
                : Finding.failure(
                        SUBJECT,
                        "%s, and %s are tolerated: see to it that both follow a time server (chronyc tracking)"
                                .formatted(text, Durations.format(tolerance)));
    }
}
