package dev.resiliency.nccl.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.health.NvLinks.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Fails if an NVLink of the device that was up has gone down, or has counted too many errors since the start. A device
 * without links is healthy. The guide's {@code NVLHealthCheck}.
 */
public final class NvLinkHealthCheck implements HealthCheck {
    /** How many errors of one kind a link may count. */
    public static final long DEFAULT_ERROR_LIMIT = 100;

    private final ManagedDevice device;
    private final long errorLimit;
    private final NvLinks baseline;

    private NvLinkHealthCheck(ManagedDevice device, long errorLimit, NvLinks baseline) {
        this.device = device;
        this.errorLimit = errorLimit;
        this.baseline = baseline;
    }

    /** Checks the device whose number is {@code LOCAL_RANK}, with {@link #DEFAULT_ERROR_LIMIT}. */
    public static NvLinkHealthCheck create() throws InterruptedException {
        return of(Devices.ofLocalRank(), DEFAULT_ERROR_LIMIT);
    }

    /**
     * A check against the links as they are now.
     *
     * @param errorLimit how many errors of one kind each link may count from now on
     * @throws dev.resiliency.nccl.GpuUnavailableException if a library or the device is missing
     */
    public static NvLinkHealthCheck of(int device, long errorLimit) throws InterruptedException {
        ManagedDevice managed = ManagedDevice.find(device);
        return new NvLinkHealthCheck(managed, errorLimit, managed.ask("links", NvLinks::read));
    }

    /**
     * Compares the links with those of the start.
     *
     * @throws GpuException that names each link that is down, and each counter with its value and limit
     */
    @Override
    public void check(State state) throws InterruptedException {
        Map<Integer, Link> now = device.ask("links", NvLinks::read).links().stream()
                .collect(Collectors.toMap(Link::number, Function.identity()));
        List<String> faults = new ArrayList<>();
        for (Link before : baseline.links()) {
            Link link = now.get(before.number());
            if (before.up() && (link == null || !link.up())) {
                faults.add("link " + before.number() + " is down, it was up");
            } else if (link != null) {
                compareErrors(before, link, faults);
            }
        }
        if (!faults.isEmpty()) {
            throw new GpuException(device + ": " + String.join("; ", faults));
        }
    }

    private void compareErrors(Link before, Link link, List<String> faults) {
        for (int counter = 0; counter < NvLinks.COUNTERS.size(); counter++) {
            long more = link.errors().get(counter) - before.errors().get(counter);
            if (more > errorLimit) {
                faults.add("link %d has counted %d more %s errors since the start, the limit is %d"
                        .formatted(link.number(), more, NvLinks.COUNTERS.get(counter), errorLimit));
            }
        }
    }
}
