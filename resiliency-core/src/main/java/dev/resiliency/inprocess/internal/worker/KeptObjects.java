package dev.resiliency.inprocess.internal.worker;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** What a function keeps from iteration to iteration: one object of each type. */
public final class KeptObjects {
    /** Guarded by this. */
    private final Map<Class<?>, Object> objects = new HashMap<>();

    /** Returns the object of this type; creates it if there is none. */
    synchronized <T> T get(Class<T> type, Supplier<? extends T> create) {
        Object found = objects.get(type);
        if (found == null) {
            found = Objects.requireNonNull(create.get(), "the object to keep is null");
            objects.put(type, found);
        }
        return type.cast(found);
    }
}
