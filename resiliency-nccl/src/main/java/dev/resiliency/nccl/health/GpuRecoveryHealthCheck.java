package dev.resiliency.nccl.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails if the driver says that something must be done to the device before it can be used again, such as a reset. The
 * guide's {@code GPUHealthCheck}.
 */
public final class GpuRecoveryHealthCheck implements HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(GpuRecoveryHealthCheck.class);

    /** What NVML's numbers mean. */
    private static final List<String> ACTIONS = List.of(
            "none", "reset the GPU", "reboot the node", "drain peer-to-peer traffic", "drain and reset the GPU");

    private final int device;

    private GpuRecoveryHealthCheck(int device) {
        this.device = device;
    }

    /** Checks the device whose number is {@code LOCAL_RANK}. */
    public static GpuRecoveryHealthCheck create() {
        return ofDevice(Devices.ofLocalRank());
    }

    /** Checks this device. */
    public static GpuRecoveryHealthCheck ofDevice(int device) {
        return new GpuRecoveryHealthCheck(device);
    }

    /**
     * Asks the driver. A driver that is too old to answer is no fault.
     *
     * @throws GpuException if the device needs an action, or NVML fails or does not answer
     */
    @Override
    public void check(State state) throws InterruptedException {
        ManagedDevice managed = ManagedDevice.find(device);
        OptionalInt action = managed.ask("recovery action", (nvml, address) -> nvml.recoveryAction(address));
        if (action.isEmpty()) {
            LOG.debug("the driver does not tell a recovery action for {}", managed);
        } else if (action.getAsInt() != 0) {
            throw new GpuException("%s: NVML's recovery action is %d (%s), a healthy device has 0 (none)"
                    .formatted(managed, action.getAsInt(), meaning(action.getAsInt())));
        }
    }

    private static String meaning(int action) {
        return action < ACTIONS.size() ? ACTIONS.get(action) : "unknown to this version";
    }
}
