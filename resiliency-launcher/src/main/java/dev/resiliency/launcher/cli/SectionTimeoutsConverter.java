package dev.resiliency.launcher.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the limits of sections: {@code setup:600,step:30s}. */
final class SectionTimeoutsConverter implements ITypeConverter<SectionTimeoutsConverter.SectionTimeouts> {
    /** The limits, by the names of the sections. */
    record SectionTimeouts(Map<String, Duration> limits) {}

    @Override
    public SectionTimeouts convert(String text) {
        Map<String, Duration> limits = new LinkedHashMap<>();
        for (String pair : LimitConverter.isNone(text) ? new String[0] : text.split(",", -1)) {
            int colon = pair.lastIndexOf(':');
            if (colon <= 0) {
                throw new TypeConversionException(
                        "'%s' names no section and its limit: write them as in setup:600,step:30s".formatted(pair));
            }
            String name = pair.substring(0, colon).strip();
            Duration limit =
                    new LimitConverter().convert(pair.substring(colon + 1).strip());
            if (limit != null && limits.put(name, limit) != null) {
                throw new TypeConversionException("section '%s' has two limits".formatted(name));
            }
        }
        return new SectionTimeouts(limits);
    }
}
