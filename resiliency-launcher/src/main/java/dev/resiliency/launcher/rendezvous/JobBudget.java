package dev.resiliency.launcher.rendezvous;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Grants the restarts of a whole job, which are counted in one place. Times are those of the hosts' clocks, in milliseconds
 * since 1970, so hosts whose clocks differ by less than the window agree well enough.
 *
 * @param window restarts longer ago than this do not count; null if all count for ever
 */
public record JobBudget(int maxRestarts, @Nullable Duration window) {

    /**
     * Whether a restart is granted.
     *
     * @param number how many are spent with this one; 0 if it is not granted
     * @param spent all that count, for the key in the store: the time of each, and its token
     */
    record Grant(int number, String spent) {}

    /** Returns how many restarts such a text of those spent has. */
    static int count(String spent) {
        return spent.isEmpty() ? 0 : spent.split(" ", -1).length;
    }

    /**
     * Grants a restart, if one is left of those spent.
     *
     * @param token differs for each request of the job, without a space: two agents may ask in the same millisecond
     */
    Grant grant(String spent, long now, String token) {
        List<String> counting = Stream.of(spent.split(" ", -1))
                .filter(each -> !each.isEmpty())
                .filter(each -> window == null
                        || now - Long.parseLong(each.substring(0, each.indexOf(':'))) < window.toMillis())
                .toList();
        return counting.size() >= maxRestarts
                ? new Grant(0, String.join(" ", counting))
                : new Grant(
                        counting.size() + 1,
                        Stream.concat(counting.stream(), Stream.of(now + ":" + token))
                                .collect(Collectors.joining(" ")));
    }
}
