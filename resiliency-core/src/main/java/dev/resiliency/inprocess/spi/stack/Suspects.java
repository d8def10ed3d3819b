package dev.resiliency.inprocess.spi.stack;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Decides who keeps a job waiting, by where each rank stands: who is not in a wait for others; if all are, who stands elsewhere than
 * most. Pure.
 */
public final class Suspects {
    private Suspects() {}

    /** How much a rank is suspected, by what it does. */
    private enum Suspicion {
        /** It makes no progress, and waits for nobody. */
        STUCK,
        /** It makes progress, while others make none. */
        BUSY,
        /** It waits for others. */
        WAITING
    }

    /**
     * Returns the ranks that the others wait for, the most suspect first. If nobody stands out, these are all.
     *
     * @param standings where each rank stands that has said so
     */
    public static List<Integer> among(Map<Integer, Standing> standings) {
        String usual = usualPlace(standings.values());
        for (Suspicion suspicion : Suspicion.values()) {
            List<Map.Entry<Integer, Standing>> found = standings.entrySet().stream()
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

    /** Native code that most ranks are in at the same place is where they communicate. */
    private static Suspicion of(Standing standing, String usual) {
        boolean communicates =
                standing.activity() == Activity.NATIVE && standing.place().equals(usual);
        if (standing.activity().isForOthers() || communicates) {
            return Suspicion.WAITING;
        }
        return standing.isSilent() ? Suspicion.STUCK : Suspicion.BUSY;
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
