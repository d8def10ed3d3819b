package dev.resiliency.examples.gpu;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A fault to inject into a training on GPUs.
 *
 * @param kind what happens
 * @param rank the initial rank that it happens to
 * @param step the step at whose beginning it happens; the first step is 1
 */
record GpuFault(Kind kind, int rank, int step) {
    private static final Pattern SYNTAX = Pattern.compile("([^:@]+):(\\d{1,9})@(\\d{1,9})");

    /** What can be injected. */
    enum Kind {
        /** The training code throws. */
        EXCEPTION,
        /** The process is killed with SIGKILL. */
        KILL,
        /** A kernel writes to an illegal address: the device is spoilt for the process, and its health check says so. */
        GPU_ERROR,
        /** A kernel never ends: nothing but the end of the process helps. */
        GPU_HANG;

        /** As a user writes it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Whether the rank is lost. */
    boolean isFatal() {
        return kind != Kind.EXCEPTION;
    }

    /** {@code KIND:RANK@STEP}. */
    @Override
    public String toString() {
        return kind + ":" + rank + "@" + step;
    }

    /** Reads {@code KIND:RANK@STEP} of a command line. */
    static final class Converter implements ITypeConverter<GpuFault> {
        @Override
        public GpuFault convert(String text) {
            Matcher matcher = SYNTAX.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not KIND:RANK@STEP, such as gpu-error:1@600");
            }
            return new GpuFault(
                    kind(matcher.group(1)), Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
        }

        private static Kind kind(String text) {
            return Arrays.stream(Kind.values())
                    .filter(kind -> kind.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no kind of fault: use "
                            + Arrays.stream(Kind.values()).map(Kind::toString).collect(Collectors.joining(", "))));
        }
    }
}
