package dev.resiliency.examples.fault;

import dev.resiliency.testing.Fault;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code --fault}. */
public final class FaultConverter implements ITypeConverter<Fault> {
    /** For picocli. */
    public FaultConverter() {}

    @Override
    public Fault convert(String text) {
        try {
            return Fault.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
