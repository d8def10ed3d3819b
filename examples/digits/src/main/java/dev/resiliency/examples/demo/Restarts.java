package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.inprocess.RestartReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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
        if (report.iteration() > returned) {
            reports.computeIfAbsent(report.iteration(), iteration -> new ArrayList<>())
                    .add(report);
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
                || !members.stream().allMatch(rank -> rank.iteration() > iteration)) {
            return Optional.empty();
        }
        long lastEntry = members.stream()
                .mapToLong(rank -> rank.entryAfter(iteration))
                .max()
                .orElseThrow();
        reports.remove(iteration);
        returned = iteration;
        return Optional.of(restart(reported, injections.get(iteration), lastEntry));
    }

    private static Restart restart(List<Restarted> reported, @Nullable Injection injection, long lastEntry) {
        Restarted first = reported.get(0);
        Map<RestartReport.Phase, Long> longest = new EnumMap<>(RestartReport.Phase.class);
        reported.forEach(
                report -> report.phaseNanos().forEach((phase, nanos) -> longest.merge(phase, nanos, Math::max)));
        Map<String, Double> phases = new LinkedHashMap<>();
        longest.forEach((phase, nanos) -> phases.put(camelCase(phase.name()), milliseconds(nanos)));
        if (injection != null) {
            TrainingFault fault = injection.fault();
            double total = milliseconds(lastEntry - injection.nanos());
            return new Restart(first.iteration(), fault.kind().toString(), fault.rank(), total, phases, null);
        }
        long total = reported.stream().mapToLong(Restarted::totalNanos).max().orElseThrow();
        String cause = first.cause().name().toLowerCase(Locale.ROOT);
        return new Restart(first.iteration(), cause, first.causeRank(), milliseconds(total), phases, null);
    }

    /** {@code LAST_CALL} becomes {@code lastCall}. */
    private static String camelCase(String name) {
        return Pattern.compile("_(.)")
                .matcher(name.toLowerCase(Locale.ROOT))
                .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    /** Rounds to microseconds: what lies below is noise. */
    static double milliseconds(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos) / 1e3;
    }
}
