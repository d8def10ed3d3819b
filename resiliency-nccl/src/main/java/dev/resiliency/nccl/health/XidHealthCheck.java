package dev.resiliency.nccl.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails if the driver has reported a critical error (XID) of the device since the last check, or since this check was
 * made. Those that a program causes by itself are logged only: whether the process can go on is what {@link
 * CudaHealthCheck} finds out.
 */
public final class XidHealthCheck implements HealthCheck, AutoCloseable {
    /**
     * Faults of programs: engine exception 13, page fault 31, stopped channel 43, cleanup after a program 45, exception of
     * the video decoder 68, timeout of a context switch 109.
     */
    public static final Set<Long> CAUSED_BY_PROGRAMS = Set.of(13L, 31L, 43L, 45L, 68L, 109L);

    private static final Logger LOG = LoggerFactory.getLogger(XidHealthCheck.class);

    private final ManagedDevice device;
    private final Set<Long> tolerated;
    private final long events;

    private XidHealthCheck(ManagedDevice device, Set<Long> tolerated, long events) {
        this.device = device;
        this.tolerated = tolerated;
        this.events = events;
    }

    /** Collects the errors of the device whose number is {@code LOCAL_RANK} from now on. */
    public static XidHealthCheck create() throws InterruptedException {
        return of(Devices.ofLocalRank(), CAUSED_BY_PROGRAMS);
    }

    /**
     * Collects the errors of this device from now on.
     *
     * @param tolerated numbers that are logged only
     * @throws dev.resiliency.nccl.GpuUnavailableException if a library or the device is missing
     */
    public static XidHealthCheck of(int device, Set<Long> tolerated) throws InterruptedException {
        ManagedDevice managed = ManagedDevice.find(device);
        return new XidHealthCheck(
                managed,
                Set.copyOf(tolerated),
                managed.ask("XID events", (nvml, address) -> nvml.collectXids(address)));
    }

    /**
     * Looks at what was collected.
     *
     * @throws GpuException that names each error
     */
    @Override
    public void check(State state) throws InterruptedException {
        List<Long> xids = device.ask("XID events", (nvml, address) -> {
            List<Long> collected = new ArrayList<>();
            for (OptionalLong xid = nvml.nextXid(events); xid.isPresent(); xid = nvml.nextXid(events)) {
                collected.add(xid.getAsLong());
            }
            return collected;
        });
        List<Long> faults =
                xids.stream().filter(xid -> !tolerated.contains(xid)).toList();
        if (!faults.isEmpty()) {
            throw new GpuException("%s: the driver has reported XID %s since the last check; tolerated are %s"
                    .formatted(device, faults, tolerated));
        }
        if (!xids.isEmpty()) {
            LOG.warn(
                    "{}: the driver has reported XID {} since the last check, which a program can cause", device, xids);
        }
    }

    /** Collects no longer. */
    @Override
    public void close() throws GpuException {
        try {
            device.ask("end of XID events", (nvml, address) -> {
                nvml.endXids(events);
                return Boolean.TRUE;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
