package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.JobEvents.Expected;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a batch must lead to under agents: which processes it may cost, which agents it ends and how, and which events it must
 * leave. Pure data.
 *
 * @param host the node whose agent hosts the store; -1 if none does
 * @param before the processes that lived when the batch began
 */
record AgentOutcome(
        JobSettings.UnderAgents settings, Board board, int host, List<ChaosFault> faults, List<ProcessView> before) {
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    /** Returns the processes that the batch costs: these, and no other ones. */
    Set<ProcessView> hit() {
        Set<ProcessView> hit = new LinkedHashSet<>();
        for (ChaosFault fault : faults) {
            if (!fault.isDeadly() || (comesBack(fault) && !settings.isHard())) {
                continue;
            }
            if (settings.isHard() || fault.place() == Place.RESTART) {
                hit.addAll(before);
            } else if (fault.place().isOfRank() && settings.isSoft()) {
                hit.add(board.process(fault.process()));
            } else {
                int node = nodeOf(fault);
                before.stream().filter(process -> process.node == node).forEach(hit::add);
            }
        }
        return hit;
    }

    private int nodeOf(ChaosFault fault) {
        return fault.place() == Place.SCALE
                ? lastNode()
                : fault.place().isOfRank() ? board.process(fault.process()).node : fault.process();
    }

    /** Returns the node that leaves first when the job is scaled down; one that hosts the store stays. */
    private int lastNode() {
        return before.stream()
                .filter(process -> process.node != host)
                .max(Comparator.comparing(process -> process.rank))
                .orElseThrow()
                .node;
    }

    /** Returns the nodes whose agents end. */
    Set<Integer> agents() {
        return faults.stream().filter(this::endsAgent).map(this::nodeOf).collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean endsAgent(ChaosFault fault) {
        return fault.place().endsAgent() && !comesBack(fault);
    }

    /** Returns whether it suspends the agent that hosts the store: that follows the others when it goes on, and its ranks follow it. */
    private boolean comesBack(ChaosFault fault) {
        return fault.place() == Place.AGENT_STOP && fault.process() == host;
    }

    /** Returns whether the store is lost with its host, and with it perhaps what was written last. */
    private boolean isStoreLost() {
        return agents().contains(host) || faults.stream().anyMatch(this::comesBack);
    }

    /** Returns whether it may cost more processes: who restarts just as the store is lost may find nobody to go on with. */
    boolean isUncertain() {
        return isStoreLost() && faults.size() > 1;
    }

    /** Returns with which codes the agent of a node may exit; none if it must not. */
    Set<Integer> exitCodes(int node) {
        return faults.stream()
                .filter(fault -> endsAgent(fault) && nodeOf(fault) == node)
                .findFirst()
                .map(fault -> switch (fault.place()) {
                    case AGENT_KILL, NODE_KILL -> Set.of(KILLED);
                    case AGENT_TERM -> Set.of(TERMINATED, 0);
                    case AGENT_STOP -> Set.of(1);
                    default -> Set.of(0);
                })
                .orElse(Set.of());
    }

    /** Returns whether nothing may happen to any process. */
    boolean isHarmless() {
        return faults.stream().noneMatch(ChaosFault::isDeadly);
    }

    /** Returns the events that must be written. */
    List<Expected> events() {
        if (isStoreLost()) {
            String name = AgentFleet.nameOf(host);
            return List.of(new Expected("CYCLE", "", ""), new Expected("NODE_CAME", name, "node " + name + " "));
        }
        List<Expected> expected = new ArrayList<>();
        // If all processes end anyway, the job need not be notified of the end of one of them.
        boolean isEndReported = faults.size() == 1
                || (settings.isSoft()
                        && faults.stream().noneMatch(fault -> fault.place().isOfJob()));
        for (ChaosFault fault : faults) {
            String name = fault.process() < 0 && fault.place() != Place.SCALE ? "" : AgentFleet.nameOf(nodeOf(fault));
            switch (fault.place()) {
                case STEP, OUTSIDE, EXIT -> {
                    if (fault.isDeadly() && isEndReported) {
                        long pid = board.process(fault.process()).pid;
                        expected.add(new Expected("RANK_ENDED", name, "(process %d)".formatted(pid)));
                        expected.add(
                                settings.isHard() ? new Expected("CYCLE", "", "") : new Expected("RESTART", name, ""));
                    }
                }
                case AGENT_KILL, AGENT_STOP, NODE_KILL ->
                    expected.add(new Expected("NODE_LOST", "", "node " + name + " "));
                case AGENT_TERM -> expected.add(new Expected("NODE_LEFT", name, ""));
                case DRAIN -> {
                    expected.add(new Expected("DRAIN", "control", "node " + name + " "));
                    expected.add(new Expected("NODE_LEFT", name, ""));
                }
                case RESTART -> expected.add(new Expected("CYCLE", "control", ""));
                case SCALE -> {
                    expected.add(new Expected("SCALE", "control", name));
                    expected.add(new Expected("NODE_LEFT", name, ""));
                }
                default -> {}
            }
            if (fault.place().endsAgent()) {
                expected.add(new Expected("NODE_CAME", name, "node " + name + " "));
            }
        }
        return expected;
    }
}
