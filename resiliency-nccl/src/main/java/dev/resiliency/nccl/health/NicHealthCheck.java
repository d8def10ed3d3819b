package dev.resiliency.nccl.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.health.NicLinks.Link;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Fails when a network link of this host that was up has gone down: InfiniBand ports and physical Ethernet devices. Needs
 * no CUDA. A link that was down from the start is nobody's fault, and a host without such devices is healthy. Virtual
 * functions (SR-IOV) and USB devices are not looked at: they come and go with containers and the board's controller.
 */
public final class NicHealthCheck implements HealthCheck {
    private final NicLinks links;
    private final Map<String, Link> baseline;

    private NicHealthCheck(NicLinks links) throws IOException {
        this.links = links;
        this.baseline = links.read();
    }

    /**
     * A check against the links that are up now.
     *
     * @throws IOException if {@code /sys} cannot be read
     */
    public static NicHealthCheck create() throws IOException {
        return create(Path.of("/sys"));
    }

    /** The same, with another directory in the place of {@code /sys}. */
    public static NicHealthCheck create(Path sysfs) throws IOException {
        return new NicHealthCheck(new NicLinks(sysfs));
    }

    /**
     * Compares the links with those of the start.
     *
     * @throws IOException that names each link which is down, with what the kernel says of it
     */
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
            throw new IOException(
                    "network links of this host went down since the job began: " + String.join("; ", down));
        }
    }
}
