package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.attribution.Fact.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What has happened from the first fault until the world was whole again.
 *
 * @param facts in the order of the store
 * @param casualties in the order in which the store learned of them
 */
record Incident(List<Fact> facts, List<Casualty> casualties) {
    /** Those with which all processes of a node are gone. */
    private static final Set<Kind> NODE = EnumSet.of(Kind.NODE_LOST, Kind.CUT_OFF, Kind.AGENT_REPLACED);

    /** Sorts facts, and puts together those about one process. */
    static Incident of(List<Fact> facts) {
        List<Fact> sorted =
                facts.stream().sorted(Comparator.comparingLong(Fact::number)).toList();
        Map<String, Casualty> byName = new LinkedHashMap<>();
        sorted.stream()
                .filter(Fact::isFault)
                .forEach(fact -> byName.merge(nameOf(fact), new Casualty(List.of(fact)), Casualty::and));
        return new Incident(sorted, paired(new ArrayList<>(byName.values())));
    }

    private static String nameOf(Fact fact) {
        if (NODE.contains(fact.kind())) {
            return "node " + fact.node();
        }
        return fact.member() != Fact.NONE ? "member " + fact.member() : fact.node() + " " + fact.who();
    }

    /** A spare process has a number in the job that its agent does not know: it is taken for one that the others miss. */
    private static List<Casualty> paired(List<Casualty> casualties) {
        List<Casualty> result = new ArrayList<>();
        List<Casualty> unknown = new ArrayList<>(casualties.stream()
                .filter(each -> each.first().member() == Fact.NONE && each.has(Kind.PROCESS_ENDED))
                .toList());
        for (Casualty each : casualties) {
            if (each.isOnlyMissed() && !unknown.isEmpty()) {
                result.add(each.and(unknown.remove(0)));
            } else {
                result.add(each);
            }
        }
        result.removeIf(each -> result.stream()
                .anyMatch(other -> !other.equals(each) && other.facts().containsAll(each.facts())));
        result.sort(Comparator.comparingLong(each -> each.first().number()));
        return result;
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

    /** An agent that ends its processes knows why: that the others miss them says nothing more. */
    private boolean isFollower(Casualty casualty) {
        boolean isExplained =
                casualties.stream().anyMatch(Incident::isNode) || ended().anyMatch(casualty.who()::equals);
        return casualty.isFollower() || (isExplained && casualty.isOnlyMissed()) || isWaiting(casualty);
    }

    /** Who waits for a rank that runs out of memory hangs as well, and is noticed first if its limit is short. */
    private boolean isWaiting(Casualty casualty) {
        return casualty.onlyHangs()
                && casualties.stream().anyMatch(each -> each.isOutOfHeap() || isKilledForMemory(each));
    }

    /** Returns whether the kernel has killed it, or its JVM has given up, as memory ran out. */
    boolean isKilledForMemory(Casualty casualty) {
        Crash crash = casualty.evidence().crash();
        boolean wasKilled = "SIGKILL".equals(casualty.signal());
        return KernelLog.hasKilled(kernelOf(casualty.node()), casualty.pid())
                || (wasKilled && oomKillsOf(casualty.node()) > 0)
                || (crash != null && crash.isOutOfMemory());
    }

    /** Returns those whom their agents have ended. */
    private Stream<String> ended() {
        return facts.stream().flatMap(fact -> fact.followers().stream());
    }

    private static boolean isNode(Casualty casualty) {
        return NODE.stream().anyMatch(casualty::has);
    }

    /** Returns how many nodes are lost. */
    long nodesLost() {
        return casualties.stream().filter(Incident::isNode).count();
    }

    /** Returns those who failed only since another one had, or were ended since then. */
    List<String> followers() {
        Casualty first = first();
        Stream<String> failed = casualties.stream()
                .filter(each -> !each.equals(first) && isFollower(each))
                .map(Casualty::who);
        return Stream.concat(failed, ended()).distinct().toList();
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
        return facts.stream()
                .filter(fact -> fact.node().equals(node))
                .flatMap(fact -> fact.evidence().kernel().stream())
                .distinct()
                .toList();
    }

    /** Returns how many processes of a node the kernel has killed as memory ran out. */
    long oomKillsOf(String node) {
        return facts.stream()
                .filter(fact -> fact.node().equals(node))
                .mapToLong(fact -> fact.evidence().oomKills())
                .sum();
    }

    /** Returns whether the nodes that have lost processes run them all again. */
    boolean isWholeAgain() {
        return facts.stream()
                .filter(fact -> fact.kind() == Kind.PROCESS_ENDED && !fact.isAsked())
                .allMatch(ended -> facts.stream()
                        .anyMatch(fact -> fact.kind() == Kind.RECOVERED
                                && fact.node().equals(ended.node())
                                && fact.number() > ended.number()));
    }
}
