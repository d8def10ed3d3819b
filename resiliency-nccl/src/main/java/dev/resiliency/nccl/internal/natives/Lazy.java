package dev.resiliency.nccl.internal.natives;

import dev.resiliency.nccl.GpuUnavailableException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An object that is loaded on first use; a failure is remembered, since another attempt would fail in the same way. */
final class Lazy<T> {
    private final Supplier<T> load;
    /** Guarded by this. */
    private @Nullable T loaded;
    /** Guarded by this. */
    private @Nullable GpuUnavailableException failure;

    Lazy(Supplier<T> load) {
        this.load = load;
    }

    synchronized T get() {
        if (loaded != null) {
            return loaded;
        }
        if (failure == null) {
            try {
                T result = load.get();
                loaded = result;
                return result;
            } catch (GpuUnavailableException e) {
                failure = e;
            }
        }
        throw new GpuUnavailableException(String.valueOf(failure.getMessage()), failure);
    }
}
