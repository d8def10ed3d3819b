package dev.resiliency.launcher.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Binds each rank to the processors and the memory of the NUMA node to which its GPU is attached, with {@code numactl}: the
 * node is the local rank divided by the number of GPUs of a node. The idea, and the variable {@code NVRX_GPUS_PER_NUMA}, are
 * nvidia-resiliency-ext's.
 */
public final class NumaBinding {
    /** The environment variable with the number of GPUs of a NUMA node. */
    public static final String VARIABLE = "NVRX_GPUS_PER_NUMA";

    private static final Path NODES = Path.of("/sys/devices/system/node");

    private final String numactl;
    private final int gpusPerNode;
    private final boolean isStrict;

    private NumaBinding(String numactl, int gpusPerNode, boolean isStrict) {
        this.numactl = numactl;
        this.gpusPerNode = gpusPerNode;
        this.isStrict = isStrict;
    }

    /**
     * Finds {@code numactl}, and tries it out on each node that is needed, so that a mistake is known before anything starts.
     *
     * @param gpusPerNode GPUs of a NUMA node
     * @param isStrict whether memory must come from that node, too; otherwise it does as long as there is some
     * @param ranks number of ranks on this host
     * @param path the value of {@code PATH}
     * @throws IOException if ranks cannot be bound on this host; says what to do
     */
    public static NumaBinding find(int gpusPerNode, boolean isStrict, int ranks, String path)
            throws IOException, InterruptedException {
        return find(gpusPerNode, isStrict, ranks, path, NODES);
    }

    static NumaBinding find(int gpusPerNode, boolean isStrict, int ranks, String path, Path nodes)
            throws IOException, InterruptedException {
        if (gpusPerNode < 1) {
            throw new IllegalArgumentException(
                    "the number of GPUs of a NUMA node is " + gpusPerNode + ": it must be at least 1");
        }
        String numactl = Programs.find(path, "numactl")
                .map(Path::toString)
                .orElseThrow(
                        () -> new IOException("ranks cannot be bound to NUMA nodes, since there is no numactl in the"
                                + " directories of PATH: install it (Debian: apt-get install numactl), or do without "
                                + VARIABLE));
        NumaBinding binding = new NumaBinding(numactl, gpusPerNode, isStrict);
        for (int node = 0; node <= binding.node(ranks - 1); node++) {
            if (!Files.isDirectory(nodes.resolve("node" + node))) {
                throw new IOException(
                        "%d ranks with %d GPUs per NUMA node need %d NUMA nodes, but this host has %d: correct %s"
                                .formatted(ranks, gpusPerNode, binding.node(ranks - 1) + 1, node, VARIABLE));
            }
            if (!ProcessTools.works(binding.wrap(node * gpusPerNode, List.of(ProcessTools.SHELL, "-c", ":"))
                    .toArray(String[]::new))) {
                throw new IOException("%s cannot bind a process to NUMA node %d: a container needs the capability"
                                .formatted(numactl, node)
                        + " SYS_NICE for that, and the node among its cpuset");
            }
        }
        return binding;
    }

    private int node(int localRank) {
        return localRank / gpusPerNode;
    }

    /** Returns the command that becomes {@code command}, bound to the node of a rank. */
    public List<String> wrap(int localRank, List<String> command) {
        int node = node(localRank);
        String memory = isStrict ? "--membind=" + node : "--localalloc";
        List<String> wrapped = new ArrayList<>(List.of(numactl, "--cpunodebind=" + node, memory));
        wrapped.addAll(command);
        return wrapped;
    }
}
