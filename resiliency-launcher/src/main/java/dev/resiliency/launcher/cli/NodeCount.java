package dev.resiliency.launcher.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many nodes, as torchrun writes it: {@code MIN:MAX}, or one number for both. */
record NodeCount(int min, int max) {

    /** Parses it. */
    static final class Converter implements ITypeConverter<NodeCount> {
        @Override
        public NodeCount convert(String text) {
            String[] parts = text.split(":", -1);
            try {
                int min = Integer.parseInt(parts[0]);
                if (parts.length <= 2) {
                    return new NodeCount(min, parts.length == 1 ? min : Integer.parseInt(parts[1]));
                }
            } catch (NumberFormatException e) {
                // falls through to the same message
            }
            throw new TypeConversionException(
                    "'%s' is no number of nodes: write MIN:MAX or N, as in 2:4".formatted(text));
        }
    }
}
