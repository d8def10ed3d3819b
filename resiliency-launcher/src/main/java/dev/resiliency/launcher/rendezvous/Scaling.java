package dev.resiliency.launcher.rendezvous;

import dev.resiliency.launcher.rendezvous.JobStatus.NodeStatus;
import dev.resiliency.launcher.rendezvous.JobStatus.State;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * What becomes of a running job when it is scaled.
 *
 * @param leaving the nodes that are to leave, in this order
 * @param callsCycle whether all ranks start again, in a world of another size
 * @param notice what the user should know, as a sentence without a full stop; empty for nothing
 */
record Scaling(List<Node> leaving, boolean callsCycle, String notice) {
    /** The policy by which all ranks start again together. */
    static final String HARD = "hard";

    /**
     * Decides how to scale a job.
     *
     * @param host the name of the node that hosts the store, which cannot leave; empty if none does
     * @throws IllegalArgumentException if the job cannot have this size; says why
     */
    static Scaling of(JobStatus job, String host, NodeRange range) {
        List<NodeStatus> there =
                job.nodes().stream().filter(node -> node.state() == State.RUNS).toList();
        if (there.size() < range.min()) {
            throw new IllegalArgumentException(
                    "%d of %d nodes are there, and the job would wait for the others: start their agents first"
                            .formatted(there.size(), range.min()));
        }
        int segment = job.terms().segment();
        if (segment > 0 && range.min() % segment != 0) {
            throw new IllegalArgumentException(
                    "only whole segments get ranks, and %d nodes are not a multiple of --segment %d"
                            .formatted(range.min(), segment));
        }
        List<NodeStatus> seated =
                there.stream().filter(node -> node.seat() != null).toList();
        List<Node> leaving = seated.stream()
                .filter(node -> !node.node().name().equals(host))
                .sorted(Comparator.comparingInt(Scaling::group).reversed())
                .limit(Math.max(0, seated.size() - range.max()))
                .map(NodeStatus::node)
                .toList();
        int founders = seated.stream()
                .mapToInt(node -> Objects.requireNonNull(node.seat()).nodes())
                .findFirst()
                .orElse(range.min());
        boolean isHard = job.terms().policy().equals(HARD);
        boolean changesWorld = range.min() != founders;
        return new Scaling(
                leaving,
                isHard && (changesWorld || !leaving.isEmpty()),
                isHard || !changesWorld
                        ? ""
                        : ("WORLD_SIZE stays %d, that of %d nodes, as long as ranks go on: more ranks than that are active only if"
                                        + " the program's Elasticity admits them. 'resiliency restart' starts all with the"
                                        + " WORLD_SIZE of --nnodes %s, which ranks with a Wrapper refuse")
                                .formatted(founders * job.terms().processes(), founders, range));
    }

    /** Returns what happens, for people. */
    String text(NodeRange range, int cycle) {
        StringBuilder text = new StringBuilder("nnodes is %s from now on".formatted(range));
        if (!leaving.isEmpty()) {
            text.append("; asked to leave: ").append(Nodes.names(leaving));
        }
        if (callsCycle) {
            text.append("; all ranks start again in cycle ").append(cycle);
        }
        return notice.isEmpty()
                ? text.toString()
                : text.append(". ").append(notice).toString();
    }

    private static int group(NodeStatus node) {
        return Objects.requireNonNull(node.seat()).group();
    }
}
