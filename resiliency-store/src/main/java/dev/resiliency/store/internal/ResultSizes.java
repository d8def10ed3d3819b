package dev.resiliency.store.internal;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the bytes of a result while its request is in progress: never more than it takes in the answer, so that
 * nothing is rejected that could be sent.
 */
final class ResultSizes {
    private static final int KIND = 1;
    private static final int LENGTH = 1; // a short text, value, set or list
    private static final int RUN = 2; // a run of a set, when it is short and close to the previous one

    private ResultSizes() {}

    static long of(@Nullable Object result) {
        if (result instanceof Value value) {
            return KIND + LENGTH + (long) value.size();
        } else if (result instanceof IndexSet set) {
            return KIND + LENGTH + (long) RUN * set.runs();
        } else if (result instanceof List<?> list) {
            return ofAll(list);
        } else if (result instanceof String text) {
            return KIND + LENGTH + (long) text.length();
        } else if (result instanceof Long) {
            return KIND + Long.BYTES;
        }
        return KIND; // null or a boolean
    }

    private static long ofAll(List<?> results) {
        long bytes = KIND + LENGTH;
        for (int i = 0; i < results.size(); i++) {
            bytes += of(results.get(i));
        }
        return bytes;
    }
}
