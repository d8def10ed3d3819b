package dev.resiliency.inprocess.spi.socket;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * The addresses at which the ranks of a group listen, as they publish them in the store of the iteration.
 *
 * @since 0.1.0
 */
public final class PeerAddresses {
    private static final Duration SLICE = Duration.ofMillis(50);

    private PeerAddresses() {}

    /**
     * Publishes the own address, and waits for those of all active ranks. Throws {@link
     * dev.resiliency.inprocess.RestartSignal} when the restart begins.
     *
     * @param prefix of the keys, to which ranks are added
     * @param own address, as a text
     * @return what the ranks have published, by active rank
     * @throws TimeoutException if ranks do not publish theirs within the limit; names them
     */
    public static List<String> exchange(CallWrapper call, String prefix, String own, Duration limit)
            throws InterruptedException, TimeoutException {
        Store store = call.store();
        store.set(prefix + call.state().activeRank(), own);
        List<String> keys = IntStream.range(0, call.state().activeWorldSize())
                .mapToObj(rank -> prefix + rank)
                .toList();
        long deadline = System.nanoTime() + limit.toNanos();
        while (!hasAll(store, keys)) {
            call.checkRestart();
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("active ranks {%s} have not come to create the group within %d s"
                        .formatted(missing(store, keys), limit.toSeconds()));
            }
        }
        return store.multiGet(keys).stream().map(Value::text).toList();
    }

    private static boolean hasAll(Store store, List<String> keys) throws InterruptedException {
        try {
            store.await(keys, SLICE);
            return true;
        } catch (StoreTimeoutException notYet) {
            return false;
        }
    }

    private static String missing(Store store, List<String> keys) throws InterruptedException {
        StringBuilder missing = new StringBuilder();
        for (int rank = 0; rank < keys.size(); rank++) {
            if (!store.check(List.of(keys.get(rank)))) {
                missing.append(missing.isEmpty() ? "" : ", ").append(rank);
            }
        }
        return missing.toString();
    }
}
