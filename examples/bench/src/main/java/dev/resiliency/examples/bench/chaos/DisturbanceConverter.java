package dev.resiliency.examples.bench.chaos;

import java.util.ArrayList;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a disturbance. */
final class DisturbanceConverter implements ITypeConverter<Disturbance> {
    /** The names of all disturbances, for the help. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Names() {
            super(Stream.of(Disturbance.values()).map(Disturbance::toString).toList());
        }
    }

    @Override
    public Disturbance convert(String text) {
        try {
            return Disturbance.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
