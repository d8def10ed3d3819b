package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.internal.log.SafeLog;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;

/** What a function keeps from iteration to iteration: one object of each type. */
public final class KeptObjects {
    private static final Logger LOG = SafeLog.of(CallWrapper.class);

    /** Guarded by this. */
    private final Map<Class<?>, Object> objects = new HashMap<>();
    /** Whether the function goes on with them where this process has followed its agent. Guarded by this. */
    private boolean areCarried;

    /** Returns the object of this type; creates it if there is none. */
    synchronized <T> T get(Class<T> type, Supplier<? extends T> create) {
        Object found = objects.get(type);
        if (found == null) {
            found = Objects.requireNonNull(create.get(), "the object to keep is null");
            objects.put(type, found);
        }
        return type.cast(found);
    }

    /** Notes that the function goes on with them on another store. */
    public synchronized void carry() {
        areCarried = true;
    }

    /** Returns whether the function goes on with them on another store. */
    public synchronized boolean areCarried() {
        return areCarried;
    }

    /** Drops all, and closes those that can be closed, at the end of the call of the wrapper or when this process leaves to come again. */
    public synchronized void close() {
        for (Object object : objects.values()) {
            if (object instanceof AutoCloseable closeable) {
                close(closeable);
            }
        }
        objects.clear();
        areCarried = false;
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (Exception e) {
            LOG.warn("What the function has kept could not be closed: {}", object, e);
        }
    }
}
