package dev.resiliency.examples.gpu;

import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.Fault.AtStep;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code --fault} of a training on GPUs: a fault of the demo, or one of a device at a step. */
final class GpuFaultConverter implements ITypeConverter<PlannedFault> {
    private static final Pattern AT_STEP = Pattern.compile(":(\\d{1,9})@(\\d{1,9})");

    @Override
    public PlannedFault convert(String text) {
        for (DeviceFault.Kind kind : DeviceFault.Kind.values()) {
            if (text.startsWith(kind.toString())) {
                return deviceFault(kind, text);
            }
        }
        try {
            return new TrainingFault(Fault.parse(text));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage() + "; of a GPU: "
                    + Arrays.stream(DeviceFault.Kind.values())
                            .map(DeviceFault.Kind::toString)
                            .collect(Collectors.joining(", ")));
        }
    }

    private static DeviceFault deviceFault(DeviceFault.Kind kind, String text) {
        Matcher matcher = AT_STEP.matcher(text.substring(kind.toString().length()));
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not " + kind + ":RANK@STEP, such as " + kind + ":1@600");
        }
        return new DeviceFault(kind, Integer.parseInt(matcher.group(1)), new AtStep(Long.parseLong(matcher.group(2))));
    }
}
