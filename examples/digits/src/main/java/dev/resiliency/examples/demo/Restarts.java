package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.examples.fault.TrainingFault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Combines the reports of single ranks into restarts of the whole job. A restart is over when every rank that takes part has
 * entered a later iteration; not always the next one, which may be interrupted right away. So have those who joined with it,
 * unless they died before they came to that.
 */
final class Restarts {
    private final NavigableMap<Integer, List<Restarted>> reports =
            new TreeMap<>(); // by iteration, of those not returned
    private final Map<Integer, Injection> injections = new HashMap<>(); // by iteration
    private final Set<Integer> numbers = new HashSet<>(); // what the job calls those that have entered an iteration
    private int returned = -1;

    private record Injection(TrainingFault fault, long nanos) {}

    /** Records that the process of this number takes part. */
    void entered(int number) {
        numbers.add(number);
    }

    /** Records a fault in an iteration. Of several, the first counts. */
    void injected(int iteration, TrainingFault fault, long nanos) {
        injections.merge(
                iteration,
                new Injection(fault, nanos),
                (first, second) -> second.nanos() - first.nanos() < 0 ? second : first);
    }

    /** Records a restart as one rank saw it. */
    void reported(Restarted report) {
        int iteration = report.seen().iteration();
        if (iteration > returned) {
            reports.computeIfAbsent(iteration, each -> new ArrayList<>()).add(report);
        }
    }

    /** Returns the earliest restart that is over and was not returned before. */
    Optional<Restart> next(Collection<RankStatus> ranks) {
        Map.Entry<Integer, List<Restarted>> earliest = reports.firstEntry();
        if (earliest == null) {
            return Optional.empty();
        }
        int iteration = earliest.getKey();
        List<Restarted> reported = earliest.getValue();
        boolean isLatest = reports.size() == 1;
        boolean joinersAreHere = reported.stream().allMatch(report -> numbers.containsAll(report.joined()));
        List<RankStatus> members = ranks.stream().filter(RankStatus::takesPart).toList();
        if ((isLatest && !joinersAreHere)
                || members.isEmpty()
                || !members.stream().allMatch(rank -> rank.iteration > iteration)) {
            return Optional.empty();
        }
        reports.remove(iteration);
        returned = iteration;
        long lastEntry =
                members.stream().mapToLong(rank -> rank.enteredAt).max().orElseThrow();
        return Optional.of(
                restart(reported.stream().map(Restarted::seen).toList(), injections.get(iteration), lastEntry));
    }

    private static Restart restart(List<Restart> seen, @Nullable Injection injection, long lastEntry) {
        Restart first = seen.get(0);
        if (injection != null) {
            TrainingFault fault = injection.fault();
            double total = Restart.milliseconds(lastEntry - injection.nanos());
            return new Restart(first.iteration(), fault.kind().toString(), fault.rank(), total, null);
        }
        double total = seen.stream().mapToDouble(Restart::totalMs).max().orElseThrow();
        return new Restart(first.iteration(), first.cause(), first.rank(), total, null);
    }
}
