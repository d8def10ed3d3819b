package dev.resiliency.inprocess;

import java.util.ServiceLoader;

/** Finds the implementation, which this package does not import: once, as looking for it takes milliseconds. */
final class Implementation {
    private static final ServiceLoader.Provider<Wrapper.Builder> BUILDER =
            ServiceLoader.load(Wrapper.Builder.class, Wrapper.class.getClassLoader()).stream()
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalStateException("no implementation of " + Wrapper.Builder.class.getName()
                                    + " is found: a jar that repackages resiliency-core must keep its"
                                    + " META-INF/services"));

    private Implementation() {}

    static Wrapper.Builder newBuilder() {
        return BUILDER.get();
    }
}
