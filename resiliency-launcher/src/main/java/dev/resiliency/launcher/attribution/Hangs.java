package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.inprocess.spi.stack.Suspects;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides whom to suspect of several that hang: not the one whose limit was the shortest. Pure. */
final class Hangs {
    private Hangs() {}

    /**
     * Returns those that may have hung first: who keeps the others waiting by where it stands; of several alike, whom nothing but its end
     * could stop. Several are a tie.
     *
     * @param hanging in the order in which they were noticed; at least one
     * @param followers that have hung, too, and are not suspected: where they stand says where most wait
     */
    static List<Casualty> suspects(List<Casualty> hanging, List<Casualty> followers) {
        Map<Integer, Standing> standings = new HashMap<>();
        hanging.forEach(each -> standings.put(standings.size(), each.standing()));
        Set<Integer> noSuspects = new HashSet<>();
        for (Casualty each : followers) {
            noSuspects.add(standings.size());
            standings.put(standings.size(), each.standing());
        }
        List<Casualty> found =
                Suspects.among(standings, noSuspects).stream().map(hanging::get).toList();
        Activity worst = found.get(0).standing().activity();
        List<Casualty> alike = found.stream()
                .filter(each -> each.standing().activity() == worst)
                .toList();
        List<Casualty> ended = alike.stream()
                .filter(each -> each.hasRecorded(Casualty.HARD_TIMEOUT))
                .toList();
        return ended.isEmpty() ? alike : ended;
    }
}
