package dev.resiliency.examples.gpu;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Loads the kernels of the examples, whose source is {@code kernels.cu}. */
final class Kernels {
    private Kernels() {}

    /** Returns the text of {@code kernels.ptx}. */
    static String ptx() throws IOException {
        try (InputStream resource = Objects.requireNonNull(Kernels.class.getResourceAsStream("kernels.ptx"))) {
            return new String(resource.readAllBytes(), US_ASCII);
        }
    }
}
