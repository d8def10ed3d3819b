package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.config.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a {@link Duration}. */
final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
