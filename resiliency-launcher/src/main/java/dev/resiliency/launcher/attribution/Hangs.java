package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.inprocess.spi.stack.Suspects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decides whom to suspect of several that hang: not the one whose limit was the shortest. Pure. */
final class Hangs {
    private Hangs() {}

    /**
     * Returns those that may have hung first: whose process stands still, or else who keeps the others waiting by where it stands.
     * Several are a tie.
     *
     * @param hanging in the order in which they were noticed; at least one
     */
    static List<Casualty> suspects(List<Casualty> hanging) {
        List<Casualty> suspended =
                hanging.stream().filter(Casualty::isSuspended).toList();
        if (!suspended.isEmpty()) {
            return suspended;
        }
        Map<Integer, Standing> standings = new HashMap<>();
        for (int i = 0; i < hanging.size(); i++) {
            standings.put(i, hanging.get(i).standing());
        }
        List<Casualty> found =
                Suspects.among(standings).stream().map(hanging::get).toList();
        Activity worst = found.get(0).standing().activity();
        return found.stream()
                .filter(each -> each.standing().activity() == worst)
                .toList();
    }
}
