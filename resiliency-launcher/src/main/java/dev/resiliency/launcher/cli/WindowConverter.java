package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.config.Durations;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a {@link Window}. */
final class WindowConverter implements ITypeConverter<Window> {
    @Override
    public Window convert(String text) {
        try {
            return text.equals("forever") ? Window.FOREVER : new Window(Durations.parse(text));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
