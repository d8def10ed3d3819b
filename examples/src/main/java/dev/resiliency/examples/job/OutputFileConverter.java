package dev.resiliency.examples.job;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a file to be written: what is wrong with it nobody wants to hear after the job. */
public final class OutputFileConverter implements ITypeConverter<Path> {

    @Override
    public Path convert(String text) {
        Path file = Path.of(text).toAbsolutePath();
        if (Files.isDirectory(file)) {
            throw new TypeConversionException(file + " is a directory");
        }
        if (file.getParent() == null || !Files.isDirectory(file.getParent())) {
            throw new TypeConversionException("there is no directory " + file.getParent());
        }
        return file;
    }
}
