package dev.resiliency.launcher.cli;

import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a truth value as people and schedulers write it. */
final class BooleanConverter implements ITypeConverter<Boolean> {
    private static final Set<String> TRUE = Set.of("true", "yes", "on", "1");
    private static final Set<String> FALSE = Set.of("false", "no", "off", "0");

    static boolean accepts(String value) {
        String word = value.toLowerCase(Locale.ROOT);
        return TRUE.contains(word) || FALSE.contains(word);
    }

    @Override
    public Boolean convert(String value) {
        if (!accepts(value)) {
            throw new TypeConversionException("'%s' is neither true nor false".formatted(value));
        }
        return TRUE.contains(value.toLowerCase(Locale.ROOT));
    }
}
