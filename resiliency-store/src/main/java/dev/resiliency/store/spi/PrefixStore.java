package dev.resiliency.store.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A view of another store in which the key {@code k} is {@code prefix/k} there, as in PyTorch's class of this name. The
 * session is the other store's, and closing this one has no effect. Exception messages name the full key.
 *
 * @since 0.1.0
 */
public final class PrefixStore extends ForwardingStore {
    private final String prefix;

    /** Creates a view of the keys of {@code store} under {@code prefix}. */
    public PrefixStore(String prefix, SessionStore store) {
        super(store);
        this.prefix = prefix + "/";
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the last stage only passes a cancellation on
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        CompletableFuture<List<@Nullable Object>> answer = super.submit(underPrefix(operations), timeout);
        if (operations.stream().noneMatch(Operation.Keys.class::isInstance)) {
            return answer;
        }
        CompletableFuture<List<@Nullable Object>> relative = answer.thenApply(results -> relative(operations, results));
        relative.whenComplete((results, error) -> {
            if (relative.isCancelled()) {
                answer.cancel(true);
            }
        });
        return relative;
    }

    private List<Operation<?>> underPrefix(List<? extends Operation<?>> operations) {
        return Operation.withKeys(List.copyOf(operations), prefix::concat);
    }

    /** Strips the prefix from the keys that a {@link Operation.Keys} found. */
    private List<@Nullable Object> relative(List<? extends Operation<?>> operations, List<@Nullable Object> results) {
        List<@Nullable Object> relative = new ArrayList<>(results);
        for (int i = 0; i < results.size(); i++) {
            if (operations.get(i) instanceof Operation.Keys && results.get(i) instanceof List<?> keys) {
                relative.set(
                        i,
                        keys.stream()
                                .map(key -> ((String) key).substring(prefix.length()))
                                .toList());
            }
        }
        return relative;
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        super.send(underPrefix(operations));
    }

    /** Does nothing: the underlying store belongs to whoever opened it. */
    @Override
    public void abandon() {}

    /** Does nothing: the underlying store belongs to whoever opened it. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return prefix + " of " + super.toString();
    }
}
