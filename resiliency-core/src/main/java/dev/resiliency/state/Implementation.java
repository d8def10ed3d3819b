package dev.resiliency.state;

import java.util.ServiceLoader;

/** Finds the implementation, which this package does not import: once, as looking for it takes milliseconds. */
final class Implementation {
    static final LiveState.Factory FACTORY = ServiceLoader.load(
                    LiveState.Factory.class, LiveState.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no implementation of " + LiveState.Factory.class.getName()
                    + " is found: a jar that repackages resiliency-core must keep its META-INF/services"));

    private Implementation() {}
}
