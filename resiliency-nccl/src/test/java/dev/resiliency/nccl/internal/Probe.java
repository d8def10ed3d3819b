package dev.resiliency.nccl.internal;

import dev.resiliency.nccl.GpuUnavailableException;
import org.bytedeco.javacpp.Pointer;

/** The program of a process that tests start: libraries are loaded once per process, so each way to fail needs its own. */
final class Probe {
    private Probe() {}

    /** Says what each use of the bindings that is named has led to, one line each. */
    @SuppressWarnings("SystemOut") // its answer
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
                    yield "chosen";
                }
                case "shrink" -> "made " + Bindings.nccl().shrink(0, new int[0]).address();
                default -> throw new IllegalArgumentException(use);
            };
        } catch (GpuUnavailableException e) {
            return "unavailable: " + e.getMessage();
        }
    }
}
