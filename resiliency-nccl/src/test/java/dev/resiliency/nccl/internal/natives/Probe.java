package dev.resiliency.nccl.internal.natives;

import dev.resiliency.nccl.GpuUnavailableException;
import org.bytedeco.javacpp.Pointer;

/** A program for tests: libraries are loaded once per process, so each way to fail needs a process of its own. */
final class Probe {
    private Probe() {}

    /** Prints one line with the result of each use of the bindings that is named. */
    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] uses) {
        for (String use : uses) {
            System.out.println(use + ": " + result(use));
        }
    }

    private static String result(String use) {
        try {
            return switch (use) {
                case "cuda" -> "sees " + Bindings.cuda().deviceCount() + " devices";
                case "nccl" -> "version " + Nccl.versionText(Bindings.nccl().version());
                case "nvml" -> "driver " + Bindings.nvml().driverVersion();
                case "limit" -> {
                    Bindings.cuda();
                    yield Pointer.maxPhysicalBytes() + " bytes";
                }
                case "device" -> {
                    Bindings.cuda().setDevice(0);
                    yield "selected";
                }
                case "shrink" ->
                    "created " + Bindings.nccl().shrink(0, new int[0]).address();
                default -> throw new IllegalArgumentException(use);
            };
        } catch (GpuUnavailableException e) {
            return "unavailable: " + e.getMessage();
        }
    }
}
