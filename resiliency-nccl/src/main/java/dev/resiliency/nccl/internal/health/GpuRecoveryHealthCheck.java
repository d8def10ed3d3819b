package dev.resiliency.nccl.internal.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fails if the driver demands an action before the device can be used again. */
final class GpuRecoveryHealthCheck implements HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(GpuRecoveryHealthCheck.class);

    /** The meaning of NVML's numbers, in their order. */
    private static final List<String> ACTIONS = List.of(
            "none", "reset the GPU", "reboot the node", "drain peer-to-peer traffic", "drain and reset the GPU");

    private final Search search;

    GpuRecoveryHealthCheck(Search search) {
        this.search = search;
    }

    /** Finds the device. */
    interface Search {
        ManagedDevice find() throws InterruptedException;
    }

    @Override
    public void check(State state) throws InterruptedException {
        ManagedDevice device = search.find();
        OptionalInt action = device.ask("recovery action", (nvml, address) -> nvml.recoveryAction(address));
        if (action.isEmpty()) {
            LOG.debug("the driver does not report recovery actions of {}", device);
        } else if (action.getAsInt() != 0) {
            throw new GpuException("%s: NVML's recovery action is %d (%s), a healthy device has 0 (none)"
                    .formatted(device, action.getAsInt(), meaning(action.getAsInt())));
        }
    }

    private static String meaning(int action) {
        return action < ACTIONS.size() ? ACTIONS.get(action) : "unknown to this version";
    }
}
