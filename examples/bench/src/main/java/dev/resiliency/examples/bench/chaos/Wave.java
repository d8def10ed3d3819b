package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Blow.Kind;
import dev.resiliency.examples.bench.chaos.LaunchedEvents.Expected;
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
 * Blows that happen together, and their model: which processes they may cost, which agents they end and how, and which events
 * they must leave. Pure data.
 */
final class Wave {
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    private final LaunchedSettings settings;
    private final List<Blow> blows;
    /** Those that lived when the wave began. */
    private final List<LaunchedProcess> before;

    private final Map<Integer, LaunchedProcess> victims = new HashMap<>(); // by blow of one process
    private final int lastNode;

    /**
     * Creates a wave.
     *
     * @param before the processes that live
     * @param victims of blows that hit one process, by their numbers
     * @param lastNode the first that leaves when the job is scaled down
     */
    Wave(
            LaunchedSettings settings,
            List<Blow> blows,
            List<LaunchedProcess> before,
            Map<Integer, LaunchedProcess> victims,
            int lastNode) {
        this.settings = settings;
        this.blows = List.copyOf(blows);
        this.before = List.copyOf(before);
        this.victims.putAll(victims);
        this.lastNode = lastNode;
    }

    List<Blow> blows() {
        return blows;
    }

    List<LaunchedProcess> before() {
        return before;
    }

    @Nullable
    LaunchedProcess victim(Blow blow) {
        return victims.get(blow.id());
    }

    /** Returns the processes that the wave costs: these, and no other ones. */
    Set<LaunchedProcess> hit() {
        Set<LaunchedProcess> hit = new LinkedHashSet<>();
        for (Blow blow : blows) {
            if (!blow.endsProcess()) {
                continue;
            }
            LaunchedProcess victim = victim(blow);
            if (settings.isHard() || blow.kind() == Kind.RESTART) {
                hit.addAll(before);
            } else if (victim != null && settings.isSoft()) {
                hit.add(victim);
            } else {
                int node = nodeOf(blow);
                before.stream().filter(process -> process.node == node).forEach(hit::add);
            }
        }
        return hit;
    }

    private int nodeOf(Blow blow) {
        return blow.kind() == Kind.SCALE ? lastNode : blow.node();
    }

    /** Returns the nodes whose agents end. */
    Set<Integer> agents() {
        return blows.stream()
                .filter(blow -> blow.kind().endsAgent())
                .map(this::nodeOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns with which codes the agent of a node may exit; none if it must not. */
    Set<Integer> exitCodes(int node) {
        for (Blow blow : blows) {
            if (blow.kind().endsAgent() && nodeOf(blow) == node) {
                return switch (blow.kind()) {
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
        return blows.stream().noneMatch(Blow::endsProcess);
    }

    /** Returns the events that must be written. */
    List<Expected> events() {
        List<Expected> expected = new ArrayList<>();
        // If all processes end anyway, the job need not be notified of the end of one of them.
        boolean isEndReported =
                blows.size() == 1 || (settings.isSoft() && blows.stream().noneMatch(blow -> blow.node() < 0));
        for (Blow blow : blows) {
            String name = LaunchedFleet.nameOf(nodeOf(blow));
            switch (blow.kind()) {
                case FAULT, SIGNAL, EXIT -> {
                    LaunchedProcess victim = victim(blow);
                    if (victim != null && blow.endsProcess() && isEndReported) {
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
            if (blow.kind().endsAgent()) {
                expected.add(new Expected("NODE_CAME", name, "node " + name + " "));
            }
        }
        return expected;
    }

    @Override
    public String toString() {
        return blows.stream()
                .map(blow -> victim(blow) == null ? blow.toString() : blow + " (" + victim(blow) + ")")
                .collect(Collectors.joining(", "));
    }
}
