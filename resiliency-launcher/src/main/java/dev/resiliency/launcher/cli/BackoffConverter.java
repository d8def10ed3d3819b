package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.Backoff;
import dev.resiliency.launcher.config.Durations;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a {@link Backoff}. */
final class BackoffConverter implements ITypeConverter<Backoff> {
    @Override
    public Backoff convert(String text) {
        try {
            String[] parts = text.split(":", -1);
            if (parts.length != 2) {
                throw new IllegalArgumentException("write MIN:MAX, as in 1s:60s");
            }
            return new Backoff(Durations.parse(parts[0]), Durations.parse(parts[1]));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
