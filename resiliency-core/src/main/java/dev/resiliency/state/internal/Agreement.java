package dev.resiliency.state.internal;

import dev.resiliency.state.internal.Decision.Kind;
import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The decisions of active rank 0, as functions of what all ranks say. Each list is in the order of active ranks. */
final class Agreement {
    /** A rank receives from this many ranks at once, if there are enough. */
    static final int AT_ONCE = 4;

    /** A rank sends to this many ranks at once, before those send to further ones. */
    static final int FAN_OUT = 2;

    private static final int SPARES = 4;

    private Agreement() {}

    /**
     * Decides which state all ranks shall hold: of the latest line the highest step that is held completely.
     *
     * @param iteration the number of the current iteration
     */
    static Decision decide(List<Holding> holdings, int iteration) {
        long furthest = holdings.stream().mapToLong(Holding::step).max().orElseThrow();
        String layout = holdings.get(0).layout();
        List<Holding> others =
                holdings.stream().filter(each -> !each.layout().equals(layout)).toList();
        if (!others.isEmpty()) {
            return new Decision(Kind.MISMATCH, iteration, -1, furthest, "of ranks " + ranksOf(others));
        }
        Decision checkpoint = new Decision(Kind.CHECKPOINT, iteration, -1, furthest, "");
        return holdings.stream()
                .filter(Holding::isWhole)
                .max(Comparator.comparingInt(Holding::line).thenComparingLong(Holding::step))
                .map(best -> new Decision(Kind.MEMORY, best.line(), best.step(), furthest, ""))
                .map(memory -> canBeMet(memory, holdings)
                        ? memory
                        : checkpoint.insteadCheckpoint(
                                iteration, "no rank that holds step " + memory.step() + " can send it"))
                .orElse(checkpoint);
    }

    private static boolean canBeMet(Decision memory, List<Holding> holdings) {
        return holdings.stream().allMatch(memory::isMetBy)
                || holdings.stream().anyMatch(each -> memory.isMetBy(each) && each.peer() != null);
    }

    private static IndexSet ranksOf(List<Holding> holdings) {
        return IndexSet.of(holdings.stream().mapToInt(Holding::rank).toArray());
    }

    /**
     * Decides who receives the state from whom.
     *
     * <p>With as many holders as receivers or more, each receiver has holders of its own. With fewer, those that receive
     * directly send on: they form trees below the holders, in which every rank has at most {@value #FAN_OUT} below it,
     * and a source comes before those that receive from it, so there is no circle.
     *
     * @return the sources of each active rank that needs the state
     */
    static Map<Integer, Sources> sources(Decision decision, List<Holding> holdings) {
        List<Peer> holders = new ArrayList<>();
        List<Integer> receivers = new ArrayList<>();
        for (int rank = 0; rank < holdings.size(); rank++) {
            Holding holding = holdings.get(rank);
            if (!decision.isMetBy(holding)) {
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
     * @param claims a text for each rank, the same if they hold the same
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
        String common = mostFrequent(claims);
        List<Holding> others = new ArrayList<>();
        for (int rank = 0; rank < claims.size(); rank++) {
            if (!claims.get(rank).equals(common)) {
                others.add(holdings.get(rank));
            }
        }
        return others.isEmpty() ? "" : "differs on ranks %s from that of the others".formatted(ranksOf(others));
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
