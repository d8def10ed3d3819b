package dev.resiliency.launcher.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/** Parses a {@link Duration}, or that there is none, as nvidia-resiliency-ext writes it. */
final class LimitConverter implements ITypeConverter<Duration> {
    private static final Set<String> NONE = Set.of("", "none", "null");

    static boolean isNone(String text) {
        return NONE.contains(text.strip().toLowerCase(Locale.ROOT));
    }

    @Override
    public @Nullable Duration convert(String text) {
        return isNone(text) ? null : new DurationConverter().convert(text);
    }
}
