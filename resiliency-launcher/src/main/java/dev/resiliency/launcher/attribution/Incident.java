package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.attribution.Fact.Kind;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What has happened from the first fault until the world was whole again. One of thousands of ranks takes no longer for each. */
final class Incident {
    /** Those with which all processes of a node are gone. */
    private static final Set<Kind> NODE = EnumSet.of(Kind.NODE_LOST, Kind.CUT_OFF, Kind.AGENT_REPLACED);

    private final List<Fact> facts;
    private final List<Casualty> casualties;
    /** Those whom their agents have ended, with the fact that says so. */
    private final Map<String, Fact> ended = new LinkedHashMap<>();
    /** The notable lines of the kernel's log, for each node. */
    private final Map<String, Set<String>> kernel = new HashMap<>();
    /** How many processes the kernel has killed as memory ran out, for each node. */
    private final Map<String, Long> oomKills = new HashMap<>();
    /** The number of the last fact that a node runs all its processes again. */
    private final Map<String, Long> recovered = new HashMap<>();

    private final long nodesLost;
    /** Whether a rank has run out of memory, for which others may have waited. */
    private final boolean lacksMemory;
    /** Those that have failed by themselves; several that hang alike are all the first. */
    private final List<Casualty> own;
    /** The same, and the first; to compare each of thousands with each other would take minutes. */
    private final Set<Casualty> leading = Collections.newSetFromMap(new IdentityHashMap<>());

    private final List<Casualty> suspects;
    private final Duration lasted;

    private Incident(List<Fact> facts, List<Casualty> casualties, Duration lasted) {
        this.facts = facts;
        this.casualties = casualties;
        this.lasted = lasted;
        for (Fact fact : facts) {
            fact.followers().forEach(who -> ended.put(who, fact));
            kernel.computeIfAbsent(fact.node(), node -> new LinkedHashSet<>())
                    .addAll(fact.evidence().kernel());
            oomKills.merge(fact.node(), fact.evidence().oomKills(), Long::sum);
            if (fact.kind() == Kind.RECOVERED) {
                recovered.put(fact.node(), fact.number());
            }
        }
        this.nodesLost = casualties.stream().filter(Incident::isNode).count();
        this.lacksMemory = casualties.stream().anyMatch(each -> each.isOutOfHeap() || isKilledForMemory(each));
        List<Casualty> failed =
                casualties.stream().filter(each -> !isExplained(each)).toList();
        List<Casualty> hanging = failed.stream().filter(Casualty::hangs).toList();
        boolean isHang = !hanging.isEmpty() && hanging.size() == failed.size();
        List<Casualty> followers = casualties.stream()
                .filter(each -> each.hangs() && each.isFollower())
                .toList();
        this.suspects = isHang ? Hangs.suspects(hanging, followers) : List.of();
        boolean hasThrown = failed.stream().anyMatch(Casualty::hangsInCleanup);
        this.own = isHang
                ? suspects
                : failed.stream()
                        .filter(each -> !each.hangs()
                                || !(hasThrown || each.standing().activity().isForOthers()))
                        .toList();
        leading.addAll(own);
        if (own.isEmpty() && !casualties.isEmpty()) {
            leading.add(casualties.get(0));
        }
    }

    /** Sorts facts, and puts together those about one process. */
    static Incident of(List<Fact> facts) {
        return of(facts, Duration.ZERO);
    }

    /**
     * Sorts facts, and puts together those about one process.
     *
     * @param lasted from the first fault until a node was whole again, or another iteration began, for the last time
     */
    static Incident of(List<Fact> facts, Duration lasted) {
        List<Fact> sorted =
                facts.stream().sorted(Comparator.comparingLong(Fact::number)).toList();
        Map<String, Casualty> byName = new LinkedHashMap<>();
        sorted.stream()
                .filter(Fact::isFault)
                .forEach(fact -> byName.merge(nameOf(fact), new Casualty(List.of(fact)), Casualty::and));
        return new Incident(sorted, List.copyOf(byName.values()), lasted);
    }

    private static String nameOf(Fact fact) {
        if (NODE.contains(fact.kind())) {
            return "node " + fact.node();
        }
        return fact.member() != Fact.NONE ? "member " + fact.member() : fact.node() + " " + fact.who();
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
     * its node is gone. Of those that hang, the one that is suspected.
     */
    Casualty first() {
        return own.isEmpty() ? casualties.get(0) : own.get(0);
    }

    /** Returns those that hang alike if there are several, so that none of them can be called the first; empty otherwise. */
    List<Casualty> tied() {
        return suspects.size() > 1 ? suspects : List.of();
    }

    /**
     * Returns whether nothing has failed: processes were ended since somebody has asked for it, and others have at most lost their
     * connections to them.
     */
    boolean isIntended() {
        return own.isEmpty() && !ended.isEmpty();
    }

    /** Returns from the first fault until the world was whole, if it {@linkplain #isWholeAgain is}. */
    Duration lasted() {
        return lasted;
    }

    /** Returns where the training has gone on after each restart since the first fault. */
    Repetition repetition() {
        long fault = facts.stream()
                .filter(Fact::isFault)
                .mapToLong(Fact::number)
                .min()
                .orElse(0);
        return facts.stream()
                .filter(fact -> fact.number() > fault)
                .flatMap(fact -> Stream.ofNullable(fact.resumption()))
                .reduce(Repetition.UNKNOWN, Repetition::and, (one, other) -> other);
    }

    /** Returns whether the agent of the first lives, and may say yet how its process has ended. */
    boolean awaitsEndOfFirst() {
        return !own.isEmpty() && own.get(0).awaitsItsEnd();
    }

    /** Returns whether it has failed only since another one had. */
    boolean isFollower(Casualty casualty) {
        return !leading.contains(casualty);
    }

    /**
     * An agent that ends its processes knows why: that the others miss them says nothing more, nor what they throw as they end.
     * Who waits for a rank that runs out of memory hangs as well, and is noticed first if its limit is short.
     */
    private boolean isExplained(Casualty casualty) {
        Fact asked = ended.get(casualty.who());
        boolean isMissed = casualty.isOnlyMissed() && (nodesLost > 0 || asked != null);
        boolean wasEnding = asked != null
                && !hasRecovered(asked.node(), asked.number())
                && casualty.facts().stream()
                        .allMatch(fact -> fact.kind() == Kind.RECORDED && fact.number() > asked.number());
        return casualty.isFollower() || isMissed || wasEnding || (lacksMemory && casualty.onlyHangs());
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
        Stream<String> failed = casualties.stream().filter(this::isFollower).map(Casualty::who);
        Stream<String> since = ended.entrySet().stream()
                .filter(each -> each.getValue().number() > first.first().number())
                .map(Map.Entry::getKey);
        return Stream.concat(failed, since).distinct().toList();
    }

    /** Returns those who have failed besides, with a cause of their own. */
    List<Casualty> others() {
        return own.isEmpty() || !suspects.isEmpty() ? List.of() : own.subList(1, own.size());
    }

    /** Returns the notable lines of the kernel's log on a node. */
    List<String> kernelOf(String node) {
        return List.copyOf(kernel.getOrDefault(node, Set.of()));
    }

    /** Returns how many processes of a node the kernel has killed as memory ran out. */
    long oomKillsOf(String node) {
        return oomKills.getOrDefault(node, 0L);
    }

    /**
     * Returns whether all is there again: each node that has lost processes runs them all, each that is lost has come back or was
     * replaced by another one, and none is missed of which no agent says anything.
     */
    boolean isWholeAgain() {
        Map<String, Long> broken = new HashMap<>();
        Map<String, Long> lost = new HashMap<>();
        for (Fact fact : facts) {
            if (NODE.contains(fact.kind())) {
                lost.put(fact.node(), fact.number());
            } else if (fact.kind() == Kind.ENDS || (fact.kind() == Kind.PROCESS_ENDED && !fact.isAsked())) {
                broken.put(fact.node(), fact.number());
            }
        }
        lost.entrySet().removeIf(node -> hasRecovered(node.getKey(), node.getValue()));
        long lostFirst = lost.values().stream().min(Comparator.naturalOrder()).orElse(0L);
        long newcomers = recovered.entrySet().stream()
                .filter(node -> !broken.containsKey(node.getKey()) && node.getValue() > lostFirst)
                .count();
        broken.keySet().removeAll(lost.keySet());
        return lost.size() <= newcomers
                && broken.entrySet().stream().allMatch(node -> hasRecovered(node.getKey(), node.getValue()))
                && own.stream().noneMatch(Casualty::isOnlyMissed);
    }

    private boolean hasRecovered(String node, long since) {
        return recovered.getOrDefault(node, 0L) > since;
    }
}
