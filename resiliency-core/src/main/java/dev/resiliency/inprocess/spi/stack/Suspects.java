package dev.resiliency.inprocess.spi.stack;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides who keeps a job waiting, by where each rank stands: who is not in a wait for others; if all are, who waits in its own process,
 * or stands elsewhere than most. Pure.
 */
public final class Suspects {
    private Suspects() {}

    /** How much a rank is suspected, by what it does. */
    private enum Suspicion {
        /** Its process is suspended. */
        SUSPENDED,
        /** It makes no progress, and waits for nobody. */
        STUCK,
        /** Its process shows no progress: it is suspended, or only starved if another rank is stuck. */
        SILENT,
        /** It makes no progress in native code, in which most ranks are not: it may wait there for others. */
        IN_NATIVE_CODE,
        /** It makes progress, while others make none. */
        BUSY,
        /** It waits for a thread of its own process, which most ranks do not at that place. */
        WAITING_INSIDE,
        /** It waits for others. */
        WAITING
    }

    /**
     * Returns the ranks that the others wait for, the most suspect first. If nobody stands out, these are all but the followers.
     *
     * @param standings where each rank stands that has said so
     * @param followers those that have lost a connection: where they stood says only where most wait
     */
    public static List<Integer> among(Map<Integer, Standing> standings, Set<Integer> followers) {
        String usual = usualPlace(standings.values());
        for (Suspicion suspicion : Suspicion.values()) {
            List<Map.Entry<Integer, Standing>> found = standings.entrySet().stream()
                    .filter(each -> !followers.contains(each.getKey()))
                    .filter(each -> of(each.getValue(), usual) == suspicion)
                    .sorted(Comparator.comparing((Map.Entry<Integer, Standing> each) ->
                                    each.getValue().activity())
                            .thenComparing(Map.Entry.comparingByKey()))
                    .toList();
            if (!found.isEmpty()) {
                List<Integer> unusual = ranks(found.stream()
                        .filter(each ->
                                usual.isEmpty() || !each.getValue().place().equals(usual)));
                return unusual.isEmpty() ? ranks(found.stream()) : unusual;
            }
        }
        return List.of();
    }

    private static List<Integer> ranks(Stream<Map.Entry<Integer, Standing>> standings) {
        return standings.map(Map.Entry::getKey).toList();
    }

    /** A place in native code, or in a wait for a thread, at which most ranks are is where they communicate. */
    private static Suspicion of(Standing standing, String usual) {
        boolean isUsual = standing.place().equals(usual);
        return switch (standing.activity()) {
            case SUSPENDED -> Suspicion.SUSPENDED;
            case SILENT -> Suspicion.SILENT;
            case SOCKET, STORE, PEERS -> Suspicion.WAITING;
            case LOCK, THREAD -> isUsual ? Suspicion.WAITING : Suspicion.WAITING_INSIDE;
            case NATIVE -> isUsual ? Suspicion.WAITING : busyOr(Suspicion.IN_NATIVE_CODE, standing);
            case OUT_OF_MEMORY, DEADLOCK, NONE, SLEEP -> busyOr(Suspicion.STUCK, standing);
        };
    }

    private static Suspicion busyOr(Suspicion silent, Standing standing) {
        return standing.isSilent() ? silent : Suspicion.BUSY;
    }

    /** Returns the place in the program at which more than half of them stand; empty if there is none. */
    private static String usualPlace(Collection<Standing> standings) {
        Map<String, Integer> counts = new HashMap<>();
        standings.forEach(standing -> counts.merge(standing.place(), 1, Integer::sum));
        return counts.entrySet().stream()
                .filter(count -> 2 * count.getValue() > standings.size())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }
}
