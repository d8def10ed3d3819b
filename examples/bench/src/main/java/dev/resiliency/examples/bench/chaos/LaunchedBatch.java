package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.LaunchedEvents.Expected;
import dev.resiliency.examples.bench.chaos.LaunchedFault.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Faults that happen together, and their model: which processes they may cost, which agents they end and how, and which events
 * they must leave. Pure data.
 */
final class LaunchedBatch {
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    private final LaunchedSettings settings;
    private final List<LaunchedFault> faults;
    /** Those that lived when the batch began. */
    private final List<LaunchedProcess> before;

    private final Map<Integer, LaunchedProcess> victims = new HashMap<>(); // by fault of one process
    private final int lastNode;

    /**
     * Creates a batch.
     *
     * @param before the processes that live
     * @param victims of faults that hit one process, by their numbers
     * @param lastNode the first that leaves when the job is scaled down
     */
    LaunchedBatch(
            LaunchedSettings settings,
            List<LaunchedFault> faults,
            List<LaunchedProcess> before,
            Map<Integer, LaunchedProcess> victims,
            int lastNode) {
        this.settings = settings;
        this.faults = List.copyOf(faults);
        this.before = List.copyOf(before);
        this.victims.putAll(victims);
        this.lastNode = lastNode;
    }

    List<LaunchedFault> faults() {
        return faults;
    }

    List<LaunchedProcess> before() {
        return before;
    }

    @Nullable
    LaunchedProcess victim(LaunchedFault fault) {
        return victims.get(fault.id());
    }

    /** Returns the processes that the batch costs: these, and no other ones. */
    Set<LaunchedProcess> hit() {
        Set<LaunchedProcess> hit = new LinkedHashSet<>();
        for (LaunchedFault fault : faults) {
            if (!fault.endsProcess()) {
                continue;
            }
            LaunchedProcess victim = victim(fault);
            if (settings.isHard() || fault.kind() == Kind.RESTART) {
                hit.addAll(before);
            } else if (victim != null && settings.isSoft()) {
                hit.add(victim);
            } else {
                int node = nodeOf(fault);
                before.stream().filter(process -> process.node == node).forEach(hit::add);
            }
        }
        return hit;
    }

    private int nodeOf(LaunchedFault fault) {
        return fault.kind() == Kind.SCALE ? lastNode : fault.node();
    }

    /** Returns the nodes whose agents end. */
    Set<Integer> agents() {
        return faults.stream()
                .filter(fault -> fault.kind().endsAgent())
                .map(this::nodeOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns with which codes the agent of a node may exit; none if it must not. */
    Set<Integer> exitCodes(int node) {
        for (LaunchedFault fault : faults) {
            if (fault.kind().endsAgent() && nodeOf(fault) == node) {
                return switch (fault.kind()) {
                    case AGENT_KILL, NODE_KILL -> Set.of(KILLED);
                    case AGENT_TERM -> Set.of(TERMINATED, 0);
                    case AGENT_STOP -> Set.of(1);
                    default -> Set.of(0);
                };
            }
        }
        return Set.of();
    }

    /** Returns whether nothing may happen to any process. */
    boolean isHarmless() {
        return faults.stream().noneMatch(LaunchedFault::endsProcess);
    }

    /** Returns the events that must be written. */
    List<Expected> events() {
        List<Expected> expected = new ArrayList<>();
        // If all processes end anyway, the job need not be notified of the end of one of them.
        boolean isEndReported =
                faults.size() == 1 || (settings.isSoft() && faults.stream().noneMatch(fault -> fault.node() < 0));
        for (LaunchedFault fault : faults) {
            String name = LaunchedFleet.nameOf(nodeOf(fault));
            switch (fault.kind()) {
                case FAULT, SIGNAL, EXIT -> {
                    LaunchedProcess victim = victim(fault);
                    if (victim != null && fault.endsProcess() && isEndReported) {
                        expected.add(new Expected("RANK_ENDED", name, "(process %d)".formatted(victim.pid)));
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
                case AGENT_PAUSE, AGENT_USR1, STARVATION, STRANGERS -> {}
            }
            if (fault.kind().endsAgent()) {
                expected.add(new Expected("NODE_CAME", name, "node " + name + " "));
            }
        }
        return expected;
    }

    @Override
    public String toString() {
        return faults.stream()
                .map(fault -> victim(fault) == null ? fault.toString() : fault + " (" + victim(fault) + ")")
                .collect(Collectors.joining(", "));
    }
}
