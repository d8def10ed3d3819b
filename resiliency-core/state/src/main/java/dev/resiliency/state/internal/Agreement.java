package dev.resiliency.state.internal;

import dev.resiliency.inprocess.spi.socket.LocalAddress;
import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The decisions of active rank 0, as functions of what all ranks say. Each list is in the order of active ranks. */
final class Agreement {
    /** A rank receives from this many ranks at once, if there are enough. */
    static final int AT_ONCE = 4;

    /** A rank sends to this many ranks at once, before those send to further ones. */
    static final int FAN_OUT = 2;

    private static final int SPARES = 4;

    private Agreement() {}

    /**
     * Decides which state all ranks shall hold: of the latest line the latest step of which every part is left.
     *
     * @param iteration the number of the current iteration
     */
    static RecoveryDecision decide(List<Holding> holdings, int iteration) {
        long furthest =
                holdings.stream().mapToLong(each -> each.version().step()).max().orElseThrow();
        String layout = holdings.get(0).layout();
        List<Holding> others =
                holdings.stream().filter(each -> !each.layout().equals(layout)).toList();
        if (!others.isEmpty()) {
            return RecoveryDecision.mismatch(furthest, "of ranks " + ranksOf(others));
        }
        NavigableSet<Version> held = versions(holdings);
        if (held.isEmpty()) {
            return RecoveryDecision.checkpoint(iteration, furthest, "");
        }
        for (Version version : held.descendingSet()) {
            if (version.line() == held.last().line()
                    && missing(version, holdings).isEmpty()) {
                boolean goesBack = goesBack(version, holdings);
                return RecoveryDecision.memory(
                        version,
                        furthest,
                        goesBack,
                        goesBack ? version : latestCopied(held, holdings),
                        values(version, holdings));
            }
        }
        return RecoveryDecision.checkpoint(iteration, furthest, missing(held.last(), holdings));
    }

    /**
     * Returns the ranks that serve at a loopback address, where those on other hosts do not reach them. If all do, all are
     * on one host.
     */
    static IndexSet outOfReach(List<Holding> holdings) {
        List<Holding> loopback = holdings.stream()
                .filter(each -> each.peer() != null
                        && LocalAddress.isLoopback(each.peer().host()))
                .toList();
        boolean others = holdings.stream()
                .anyMatch(each -> each.peer() != null
                        && !LocalAddress.isLoopback(each.peer().host()));
        return others ? ranksOf(loopback) : IndexSet.empty();
    }

    /** Returns all states of which any rank holds something. */
    private static NavigableSet<Version> versions(List<Holding> holdings) {
        NavigableSet<Version> versions = new TreeSet<>();
        for (Holding each : holdings) {
            if (each.isWhole()) {
                versions.add(each.version());
            }
            if (each.shards() != null) {
                each.shards().copies().forEach(copy -> versions.add(copy.version()));
            }
        }
        return versions;
    }

    /** Returns how long the values of a state are, as one of those say that hold it. */
    private static List<Long> values(Version version, List<Holding> holdings) {
        return holdings.stream()
                .filter(each -> each.isWhole() && each.version().equals(version))
                .map(Holding::values)
                .findFirst()
                .orElse(List.of()); // only copies are left, which have none
    }

    /** Returns the latest state that can be had from copies alone; if there is none, one that nobody holds. */
    private static Version latestCopied(NavigableSet<Version> held, List<Holding> holdings) {
        List<Holding> copies = holdings.stream().map(Holding::withoutBuffers).toList();
        return held.descendingSet().stream()
                .filter(version -> missing(version, copies).isEmpty())
                .findFirst()
                .orElse(Version.NONE);
    }

    /** Returns what keeps ranks from having this state, in words; empty if nothing does. */
    private static String missing(Version version, List<Holding> holdings) {
        if (!holdings.stream().allMatch(each -> each.holdsReplicated(version))
                && holdings.stream().noneMatch(each -> each.peer() != null && each.holdsReplicated(version))) {
            return "no rank that holds step " + version.step() + " can send it";
        }
        for (Holding each : holdings) {
            if (each.shards() != null
                    && !each.holdsShard(each.shards().own(), version)
                    && shardHolders(each.shards().own(), version, holdings).isEmpty()) {
                return "no rank that holds %s of step %d can send it"
                        .formatted(each.shards().own(), version.step());
            }
        }
        return "";
    }

    private static List<Peer> shardHolders(Part shard, Version version, List<Holding> holdings) {
        return holdings.stream()
                .filter(each -> each.holdsShard(shard, version))
                .map(Holding::peer)
                .filter(Objects::nonNull)
                .toList();
    }

    private static boolean goesBack(Version version, List<Holding> holdings) {
        return holdings.stream().anyMatch(each -> each.shards() != null && !each.isAt(version));
    }

    private static IndexSet ranksOf(List<Holding> holdings) {
        return IndexSet.of(holdings.stream().mapToInt(Holding::rank).toArray());
    }

    /** Decides from whom each active rank receives its shard, unless it has it. */
    static Map<Integer, Sources> shardSources(RecoveryDecision decision, List<Holding> holdings) {
        Map<Integer, Sources> sources = new TreeMap<>();
        for (int rank = 0; rank < holdings.size(); rank++) {
            Holding holding = holdings.get(rank);
            if (holding.shards() != null && !holding.holdsShard(holding.shards().own(), decision.version())) {
                List<Peer> holders = shardHolders(holding.shards().own(), decision.version(), holdings);
                sources.put(rank, new Sources(Math.min(AT_ONCE, holders.size()), holders));
            }
        }
        return sources;
    }

    /** Decides whose shards each active rank copies; empty if the state has none, or a rank cannot send its own. */
    static List<List<Guest>> guests(List<Holding> holdings) {
        List<List<Guest>> guests = new ArrayList<>();
        holdings.forEach(each -> guests.add(new ArrayList<>()));
        List<String> hosts = new ArrayList<>();
        for (Holding each : holdings) {
            if (each.shards() == null || each.peer() == null) {
                return List.of();
            }
            hosts.add(each.shards().host());
        }
        int[] buddies = Buddies.of(hosts);
        for (int rank = 0; rank < buddies.length; rank++) {
            Holding holding = holdings.get(rank);
            guests.get(buddies[rank])
                    .add(new Guest(
                            rank,
                            Objects.requireNonNull(holding.peer()),
                            Objects.requireNonNull(holding.shards()).own()));
        }
        return guests;
    }

    /**
     * Decides who receives the replicated part of the state from whom.
     *
     * <p>With as many holders as receivers or more, each receiver has holders of its own. With fewer, those that receive
     * directly send on: they form trees below the holders, in which every rank has at most {@value #FAN_OUT} below it,
     * and a source comes before those that receive from it, so there is no circle.
     *
     * @return the sources of each active rank that needs the state
     */
    static Map<Integer, Sources> sources(RecoveryDecision decision, List<Holding> holdings) {
        List<Peer> holders = new ArrayList<>();
        List<Integer> receivers = new ArrayList<>();
        for (int rank = 0; rank < holdings.size(); rank++) {
            Holding holding = holdings.get(rank);
            if (!holding.holdsReplicated(decision.version())) {
                receivers.add(rank);
            } else if (holding.peer() != null) {
                holders.add(holding.peer());
            }
        }
        Map<Integer, Sources> sources = new TreeMap<>();
        for (int position = 0; position < receivers.size(); position++) {
            Set<Peer> chosen = new LinkedHashSet<>();
            int above = positionAbove(position, holders.size());
            Peer passingOn =
                    above < 0 ? null : holdings.get(receivers.get(above)).peer();
            if (passingOn != null) {
                chosen.add(passingOn);
            } else {
                for (int i = 0; i < Math.max(1, Math.min(AT_ONCE, holders.size() / receivers.size())); i++) {
                    chosen.add(holders.get((position + i * receivers.size()) % holders.size()));
                }
            }
            int atOnce = chosen.size();
            for (int i = 1; i <= SPARES; i++) {
                chosen.add(holders.get((position + i) % holders.size()));
            }
            sources.put(receivers.get(position), new Sources(atOnce, List.copyOf(chosen)));
        }
        return sources;
    }

    /** Returns the position of the receiver from which the one at this position receives; negative: from a holder. */
    private static int positionAbove(int position, int holders) {
        int direct = holders * FAN_OUT;
        return position < direct ? -1 : (position - direct) / FAN_OUT;
    }

    /**
     * Compares what all ranks hold at the end.
     *
     * @param claims a text of each rank: a line for each part, which begins with its name and a space, the same for those that
     *     hold the same
     * @param failed the beginning of the claim of a rank that could not receive the state
     * @return what is wrong, with the initial ranks, in words that follow the name of the state; empty if all are alike
     */
    static String verdict(List<String> claims, List<Holding> holdings, String failed) {
        for (int rank = 0; rank < claims.size(); rank++) {
            if (claims.get(rank).startsWith(failed)) {
                return "could not be sent to rank %d (%s)"
                        .formatted(holdings.get(rank).rank(), claims.get(rank).substring(failed.length()));
            }
        }
        Map<String, List<Integer>> ranksByPart = new LinkedHashMap<>();
        for (int rank = 0; rank < claims.size(); rank++) {
            for (String line : claims.get(rank).lines().toList()) {
                ranksByPart
                        .computeIfAbsent(partOf(line), absent -> new ArrayList<>())
                        .add(rank);
            }
        }
        for (Map.Entry<String, List<Integer>> part : ranksByPart.entrySet()) {
            List<Integer> ranks = part.getValue();
            List<String> about = ranks.stream()
                    .map(rank -> claims.get(rank)
                            .lines()
                            .filter(line -> partOf(line).equals(part.getKey()))
                            .findFirst()
                            .orElseThrow())
                    .toList();
            String common = mostFrequent(about);
            List<Holding> others = IntStream.range(0, ranks.size())
                    .filter(i -> !about.get(i).equals(common))
                    .mapToObj(i -> holdings.get(ranks.get(i)))
                    .toList();
            if (!others.isEmpty()) {
                return "differs on ranks %s from that of the others".formatted(ranksOf(others));
            }
        }
        return "";
    }

    private static String partOf(String line) {
        return line.substring(0, line.indexOf(' '));
    }

    /** Returns the text that most have; of several, the one of the lowest rank. */
    private static String mostFrequent(List<String> texts) {
        Map<String, Long> counts = new LinkedHashMap<>();
        texts.forEach(text -> counts.merge(text, 1L, Long::sum));
        long most = Collections.max(counts.values());
        return counts.keySet().stream()
                .filter(text -> Objects.equals(counts.get(text), most))
                .findFirst()
                .orElseThrow();
    }
}
