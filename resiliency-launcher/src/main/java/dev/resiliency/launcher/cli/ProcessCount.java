package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.gpu.GpuDevices;
import java.util.OptionalInt;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how many ranks a node has: a number, or, as torchrun has it, what to count on this host. */
final class ProcessCount implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        return switch (text) {
            case "cpu" -> processors();
            case "gpu" ->
                gpus().orElseThrow(() -> new TypeConversionException(
                        "this host has no GPU of NVIDIA's: write a number, or cpu for one rank for each processor"));
            case "auto" -> gpus().orElseGet(ProcessCount::processors);
            default -> number(text);
        };
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "'%s' is no number of ranks: write a number, gpu, cpu or auto".formatted(text));
        }
    }

    private static OptionalInt gpus() {
        return GpuDevices.count(System.getenv());
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }
}
