package dev.resiliency.examples.bench.chaos;

import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.TcpStore;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the store of a job from outside. */
final class KeyWatch {
    private final int port;
    private final String job;
    private final Pattern keyOfIteration;

    /** Reads the keys of a job. */
    KeyWatch(int port, String jobId) {
        this.port = port;
        this.job = "jobs/" + jobId + "/call-0/";
        this.keyOfIteration = Pattern.compile(job + "(\\d+)/(\\d+)/.*");
    }

    /**
     * Returns the keys of completed iterations, except the one before the current one, whose keys are still needed; earlier
     * generations have no keys.
     */
    List<String> stale(int generation, int iteration) throws InterruptedException, StoreException {
        return keys(key -> isStale(key, generation, iteration));
    }

    /** Returns the keys of a job that is complete, except those that turn late processes away. */
    List<String> remains() throws InterruptedException, StoreException {
        return keys(key -> key.startsWith(job) && !key.equals(job + "finished") && !key.equals(job + "generation"));
    }

    private List<String> keys(Predicate<String> filter) throws InterruptedException, StoreException {
        try (Store store = TcpStore.builder().port(port).name("chaos").connect()) {
            return store.keys("").stream().filter(filter).toList();
        }
    }

    private boolean isStale(String key, int generation, int iteration) {
        Matcher matcher = keyOfIteration.matcher(key);
        return matcher.matches()
                && (Integer.parseInt(matcher.group(1)) < generation
                        || Integer.parseInt(matcher.group(2)) < iteration - 1);
    }
}
