package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.store.StoreException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Looks up the host of a store. Where a cluster gives a host its name when it starts, as Kubernetes does with a pod, the other
 * nodes may be there first.
 */
final class HostName {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private HostName() {}

    /**
     * Returns the address of a host, as soon as it has one.
     *
     * @param log receives that there is none yet
     * @throws StoreException if it has none within the limit
     */
    static InetAddress await(String host, Duration limit, Consumer<String> log) throws InterruptedException {
        long start = System.nanoTime();
        boolean isLogged = false;
        while (true) {
            try {
                return InetAddress.getByName(host);
            } catch (UnknownHostException e) {
                if (System.nanoTime() - start >= limit.toNanos()) {
                    throw new StoreException("there is no host '%s': see --rdzv-endpoint".formatted(host), e);
                }
            }
            if (!isLogged) {
                log.accept("there is no host '%s' yet, which is to have the store: it is looked up for %s"
                        .formatted(host, Durations.format(limit)));
                isLogged = true;
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }
}
