package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.gpu.NvidiaSmi;
import java.io.IOException;
import java.util.Optional;

/** Finds out to which nodes this one has fast links. */
final class NodeDomain {
    private NodeDomain() {}

    /**
     * Returns the domain of this node; empty if the job needs none.
     *
     * @param path the value of {@code PATH}
     * @throws IOException if the job needs one and there is none; says what to do
     */
    static String find(LaunchConfig config, String path) throws IOException, InterruptedException {
        if (config.nodeLabel() != null) {
            return config.nodeLabel();
        }
        if (config.segment() <= 1) {
            return "";
        }
        Optional<NvidiaSmi> program = NvidiaSmi.find(path);
        Optional<String> domain = program.isPresent() ? program.get().domain() : Optional.empty();
        return domain.orElseThrow(() ->
                new IOException("--segment %d groups nodes by their NVLink domains, and %s: name the"
                                .formatted(
                                        config.segment(),
                                        program.isPresent()
                                                ? "nvidia-smi names none for this node"
                                                : "this node has no nvidia-smi")
                        + " group of each node with --node-label"));
    }
}
