package dev.resiliency.examples.fault;

import dev.resiliency.testing.FaultKind;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a kind of fault. */
public final class FaultKindConverter implements ITypeConverter<FaultKind> {
    /** For picocli. */
    public FaultKindConverter() {}

    @Override
    public FaultKind convert(String text) {
        try {
            return FaultKind.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
