package dev.resiliency.store.spi;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Finds the classes that implement the interfaces of this library, which the exported packages do not import. {@link
 * ServiceLoader} looks for each of them once.
 *
 * @since 0.1.0
 */
public final class Implementations {
    private static final ClassValue<ServiceLoader.Provider<?>> FOUND = new ClassValue<>() {
        @Override
        protected ServiceLoader.Provider<?> computeValue(Class<?> type) {
            return ServiceLoader.load(type, type.getClassLoader()).stream()
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "no implementation of %s found; does a repackaged jar lack META-INF/services/%s?"
                                    .formatted(type.getName(), type.getName())));
        }
    };

    private Implementations() {}

    /**
     * Returns a new instance of the class that implements {@code type}.
     *
     * @throws IllegalStateException if there is none
     * @throws RuntimeException that its constructor throws
     */
    public static <T> T newInstance(Class<T> type) {
        try {
            return type.cast(FOUND.get(type).get());
        } catch (ServiceConfigurationError e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal; // names what is wrong, which the wrapping error does not
            }
            throw e;
        }
    }
}
