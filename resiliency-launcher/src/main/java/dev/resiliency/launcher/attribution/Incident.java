package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.attribution.Fact.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What has happened from the first fault until the world was whole again. One of thousands of ranks takes no longer for each. */
final class Incident {
    /** Those with which all processes of a node are gone. */
    private static final Set<Kind> NODE = EnumSet.of(Kind.NODE_LOST, Kind.CUT_OFF, Kind.AGENT_REPLACED);

    private final List<Fact> facts;
    private final List<Casualty> casualties;
    /** Those whom their agents have ended. */
    private final Set<String> ended = new LinkedHashSet<>();
    /** The notable lines of the kernel's log, for each node. */
    private final Map<String, Set<String>> kernel = new HashMap<>();
    /** How many processes the kernel has killed as memory ran out, for each node. */
    private final Map<String, Long> oomKills = new HashMap<>();
    /** The number of the last fact that a node runs all its processes again. */
    private final Map<String, Long> recovered = new HashMap<>();

    private final long nodesLost;
    /** Whether a rank has run out of memory, for which others may have waited. */
    private final boolean lacksMemory;

    private Incident(List<Fact> facts, List<Casualty> casualties) {
        this.facts = facts;
        this.casualties = casualties;
        for (Fact fact : facts) {
            ended.addAll(fact.followers());
            kernel.computeIfAbsent(fact.node(), node -> new LinkedHashSet<>())
                    .addAll(fact.evidence().kernel());
            oomKills.merge(fact.node(), fact.evidence().oomKills(), Long::sum);
            if (fact.kind() == Kind.RECOVERED) {
                recovered.put(fact.node(), fact.number());
            }
        }
        this.nodesLost = casualties.stream().filter(Incident::isNode).count();
        this.lacksMemory = casualties.stream().anyMatch(each -> each.isOutOfHeap() || isKilledForMemory(each));
    }

    /** Sorts facts, and puts together those about one process. */
    static Incident of(List<Fact> facts) {
        List<Fact> sorted =
                facts.stream().sorted(Comparator.comparingLong(Fact::number)).toList();
        Map<String, Casualty> byName = new LinkedHashMap<>();
        sorted.stream()
                .filter(Fact::isFault)
                .forEach(fact -> byName.merge(nameOf(fact), new Casualty(List.of(fact)), Casualty::and));
        return new Incident(sorted, paired(byName.values()));
    }

    private static String nameOf(Fact fact) {
        if (NODE.contains(fact.kind())) {
            return "node " + fact.node();
        }
        return fact.member() != Fact.NONE ? "member " + fact.member() : fact.node() + " " + fact.who();
    }

    /** A spare process has a number in the job that its agent does not know: it is taken for one that the others miss. */
    private static List<Casualty> paired(Collection<Casualty> casualties) {
        Deque<Casualty> unknown = new ArrayDeque<>(casualties.stream()
                .filter(each -> each.first().member() == Fact.NONE && each.has(Kind.PROCESS_ENDED))
                .toList());
        Set<Casualty> taken = new HashSet<>();
        List<Casualty> result = new ArrayList<>();
        for (Casualty each : casualties) {
            if (each.isOnlyMissed() && !unknown.isEmpty()) {
                Casualty process = unknown.remove();
                taken.add(process);
                result.add(each.and(process));
            } else {
                result.add(each);
            }
        }
        result.removeIf(taken::contains);
        result.sort(Comparator.comparingLong(each -> each.first().number()));
        return result;
    }

    /** Returns the facts in the order of the store. */
    List<Fact> facts() {
        return facts;
    }

    /** Returns those who have failed, in the order in which the store learned of them. */
    List<Casualty> casualties() {
        return casualties;
    }

    /**
     * Returns the one that failed first: the first of which the store learned, but none that only followed, or is missed since
     * its node is gone.
     */
    Casualty first() {
        Optional<Casualty> own =
                casualties.stream().filter(each -> !isFollower(each)).findFirst();
        return own.orElse(casualties.get(0));
    }

    /**
     * An agent that ends its processes knows why: that the others miss them says nothing more. Who waits for a rank that runs out
     * of memory hangs as well, and is noticed first if its limit is short.
     */
    private boolean isFollower(Casualty casualty) {
        boolean isExplained = nodesLost > 0 || ended.contains(casualty.who());
        return casualty.isFollower()
                || (isExplained && casualty.isOnlyMissed())
                || (lacksMemory && casualty.onlyHangs());
    }

    /** Returns whether the kernel has killed it, or its JVM has given up, as memory ran out. */
    boolean isKilledForMemory(Casualty casualty) {
        Crash crash = casualty.evidence().crash();
        boolean wasKilled = "SIGKILL".equals(casualty.signal());
        return KernelLog.hasKilled(kernelOf(casualty.node()), casualty.pid())
                || (wasKilled && oomKillsOf(casualty.node()) > 0)
                || (crash != null && crash.isOutOfMemory());
    }

    private static boolean isNode(Casualty casualty) {
        return NODE.stream().anyMatch(casualty::has);
    }

    /** Returns how many nodes are lost. */
    long nodesLost() {
        return nodesLost;
    }

    /** Returns those who failed only since another one had, or were ended since then. */
    List<String> followers() {
        Casualty first = first();
        Stream<String> failed = casualties.stream()
                .filter(each -> !each.equals(first) && isFollower(each))
                .map(Casualty::who);
        return Stream.concat(failed, ended.stream()).distinct().toList();
    }

    /** Returns those who have failed besides, with a cause of their own. */
    List<Casualty> others() {
        Casualty first = first();
        return casualties.stream()
                .filter(each -> !each.equals(first) && !isFollower(each))
                .toList();
    }

    /** Returns the notable lines of the kernel's log on a node. */
    List<String> kernelOf(String node) {
        return List.copyOf(kernel.getOrDefault(node, Set.of()));
    }

    /** Returns how many processes of a node the kernel has killed as memory ran out. */
    long oomKillsOf(String node) {
        return oomKills.getOrDefault(node, 0L);
    }

    /** Returns whether the nodes that have lost processes run them all again. */
    boolean isWholeAgain() {
        return facts.stream()
                .filter(fact -> fact.kind() == Kind.PROCESS_ENDED && !fact.isAsked())
                .allMatch(ended -> recovered.getOrDefault(ended.node(), 0L) > ended.number());
    }
}
