package dev.resiliency.nccl.internal.health;

import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.GpuHealthChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fails if the driver has reported an XID since the last check that is not tolerated. */
final class XidHealthCheck implements GpuHealthChecks.XidCheck {
    private static final Logger LOG = LoggerFactory.getLogger(XidHealthCheck.class);

    private final ManagedDevice device;
    private final Set<Long> tolerated;
    private final long events;

    private XidHealthCheck(ManagedDevice device, Set<Long> tolerated, long events) {
        this.device = device;
        this.tolerated = tolerated;
        this.events = events;
    }

    static XidHealthCheck of(ManagedDevice device, Set<Long> tolerated) throws InterruptedException {
        return new XidHealthCheck(
                device, Set.copyOf(tolerated), device.ask("XID events", (nvml, address) -> nvml.collectXids(address)));
    }

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
            throw new GpuException("%s: the driver has reported XID %s since the last check; only %s are tolerated"
                    .formatted(device, faults, tolerated));
        }
        if (!xids.isEmpty()) {
            LOG.warn("{}: the driver has reported XID {} since the last check; a program can cause it", device, xids);
        }
    }

    @Override
    public void close() {
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
