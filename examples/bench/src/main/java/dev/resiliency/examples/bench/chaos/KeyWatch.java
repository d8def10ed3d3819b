package dev.resiliency.examples.bench.chaos;

import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.TcpStore;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the store of a job from outside. */
final class KeyWatch {
    private static final Pattern KEY_OF_ITERATION = Pattern.compile("call-0/(\\d+)/.*");
    private final int port;
    private final String scope;

    KeyWatch(int port, String scope) {
        this.port = port;
        this.scope = scope;
    }

    /** Returns the keys of completed iterations, except the one before the current one, whose keys are still needed. */
    List<String> stale(int iteration) throws InterruptedException, StoreException {
        try (Store store =
                TcpStore.builder().port(port).scope(scope).name("chaos").connect()) {
            return store.keys("").stream()
                    .filter(key -> iterationOf(key) < iteration - 1)
                    .toList();
        }
    }

    private static int iterationOf(String key) {
        Matcher matcher = KEY_OF_ITERATION.matcher(key);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : Integer.MAX_VALUE;
    }
}
