package dev.resiliency.nccl.health;

import java.util.OptionalInt;

/**
 * What NVML tells about a device, for a log or a report.
 *
 * @param device its number, product and PCI address
 * @param driverVersion the version of the driver
 * @param recoveryAction what must be done to the device: 0 nothing; empty if the driver does not tell
 * @param links how many NVLinks it has
 * @param linksUp how many of them are up
 */
public record GpuStatus(String device, String driverVersion, OptionalInt recoveryAction, int links, int linksUp) {

    /**
     * Asks NVML.
     *
     * @throws dev.resiliency.nccl.GpuUnavailableException if a library or the device is missing
     */
    public static GpuStatus read(int device) throws InterruptedException {
        ManagedDevice managed = ManagedDevice.find(device);
        return managed.ask("status", (nvml, address) -> {
            NvLinks links = NvLinks.read(nvml, address);
            return new GpuStatus(
                    managed.toString(),
                    nvml.driverVersion(),
                    nvml.recoveryAction(address),
                    links.links().size(),
                    (int) links.links().stream().filter(NvLinks.Link::up).count());
        });
    }
}
