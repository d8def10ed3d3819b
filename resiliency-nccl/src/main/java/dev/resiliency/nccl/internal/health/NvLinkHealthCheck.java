package dev.resiliency.nccl.internal.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.internal.health.NvLinks.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Fails if a link that was up at the start is down, or has counted too many errors since. */
final class NvLinkHealthCheck implements HealthCheck {
    private final ManagedDevice device;
    private final long errorLimit;
    private final NvLinks baseline;

    private NvLinkHealthCheck(ManagedDevice device, long errorLimit, NvLinks baseline) {
        this.device = device;
        this.errorLimit = errorLimit;
        this.baseline = baseline;
    }

    static NvLinkHealthCheck of(ManagedDevice device, long errorLimit) throws InterruptedException {
        return new NvLinkHealthCheck(device, errorLimit, device.ask("links", NvLinks::read));
    }

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
                faults.add("link %d has counted %d %s errors since this check was created; the limit is %d"
                        .formatted(link.number(), more, NvLinks.COUNTERS.get(counter), errorLimit));
            }
        }
    }
}
