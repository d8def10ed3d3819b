package dev.resiliency.nccl.internal.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.internal.health.NicLinks.Link;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Fails if a network link of this host that was up at the start is down. */
final class NicHealthCheck implements HealthCheck {
    private final NicLinks links;
    private final Map<String, Link> baseline;

    NicHealthCheck(NicLinks links) throws IOException {
        this.links = links;
        this.baseline = links.read();
    }

    @Override
    public void check(State state) throws IOException {
        Map<String, Link> now = links.read();
        List<String> down = new ArrayList<>();
        baseline.forEach((name, before) -> {
            Link link = now.get(name);
            if (before.isUp() && link == null) {
                down.add(name + " is gone (" + before.file() + ")");
            } else if (before.isUp() && link != null && !link.isUp()) {
                down.add(
                        name + " is \"" + link.state() + "\" (" + link.file() + "), it was \"" + before.state() + "\"");
            }
        });
        if (!down.isEmpty()) {
            throw new IOException("network links of this host have gone down since this check was created: "
                    + String.join("; ", down));
        }
    }
}
