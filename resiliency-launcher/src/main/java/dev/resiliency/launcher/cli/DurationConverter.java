package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.config.Durations;
import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a {@link Duration}. A number alone counts as seconds, as nvidia-resiliency-ext has them. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");
    private static final double MILLIS = 1000;

    @Override
    public Duration convert(String text) {
        try {
            return SECONDS.matcher(text).matches()
                    ? Durations.checked(
                            "'" + text + "'", Duration.ofMillis(Math.round(Double.parseDouble(text) * MILLIS)))
                    : Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
