package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.testing.Fault;
import java.util.ArrayList;
import java.util.Comparator;
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
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Combines the reports of single ranks into restarts of the whole job. A restart is over when every rank that is still
 * alive has entered a later iteration; not always the next one, which may be interrupted right away. So have those who
 * joined with it, unless they died before they came to that.
 */
final class RestartClock {
    private static final double MICROS_PER_MILLI = 1e3;

    private final Set<Integer> alive = new TreeSet<>();
    private final List<NavigableMap<Integer, Long>> entries = new ArrayList<>(); // by rank: iteration to time
    private final Set<Integer> numbers = new HashSet<>(); // what the job calls those that have entered an iteration
    private final Map<Integer, Injection> injections = new HashMap<>();
    private final NavigableMap<Integer, List<DemoEvent.Restarted>> reports = new TreeMap<>(); // not yet returned
    private int returned = -1;

    private record Injection(Fault fault, long nanos) {}

    RestartClock(int ranks) {
        IntStream.range(0, ranks).forEach(rank -> {
            alive.add(rank);
            entries.add(new TreeMap<>());
        });
    }

    /** Records that a rank has entered an iteration: the function, or the wait of a reserve. It may have been lost before. */
    void entered(int rank, int number, int iteration, long nanos) {
        alive.add(rank);
        numbers.add(number);
        entries.get(rank).put(iteration, nanos);
    }

    /** Records a fault, in the iteration that its rank entered last. Of several, the first counts. */
    void injected(Fault fault, long nanos) {
        injections.merge(
                entries.get(fault.rank()).lastKey(),
                new Injection(fault, nanos),
                (first, second) -> second.nanos() - first.nanos() < 0 ? second : first);
    }

    /** Records a restart as one rank saw it. */
    void reported(DemoEvent.Restarted report) {
        if (report.iteration() > returned) {
            reports.computeIfAbsent(report.iteration(), iteration -> new ArrayList<>())
                    .add(report);
        }
    }

    /** Records that a rank is dead or has left, so that no restart waits for it. */
    void lost(int rank) {
        alive.remove(rank);
    }

    /** Returns the earliest restart that is over and was not returned before. */
    Optional<Restart> takeOver() {
        Map.Entry<Integer, List<DemoEvent.Restarted>> earliest = reports.firstEntry();
        if (earliest == null) {
            return Optional.empty();
        }
        int interrupted = earliest.getKey();
        boolean isLatest = reports.size() == 1;
        if (isLatest && !earliest.getValue().stream().allMatch(report -> numbers.containsAll(report.joined()))) {
            return Optional.empty();
        }
        Optional<Restart> restart =
                lastEntryAfter(interrupted).map(entry -> restart(interrupted, earliest.getValue(), entry));
        if (restart.isPresent()) {
            reports.remove(interrupted);
            returned = interrupted;
        }
        return restart;
    }

    private Optional<Long> lastEntryAfter(int iteration) {
        List<Long> times = new ArrayList<>();
        for (int rank : alive) {
            Map.Entry<Integer, Long> entry = entries.get(rank).higherEntry(iteration);
            if (entry == null) {
                return Optional.empty();
            }
            times.add(entry.getValue());
        }
        return times.stream().max(Comparator.naturalOrder());
    }

    private Restart restart(int interrupted, List<DemoEvent.Restarted> reported, long lastEntry) {
        Map<String, Double> phases = longestPhases(reported);
        Injection injection = injections.get(interrupted);
        if (injection != null) {
            Fault fault = injection.fault();
            double totalMs = milliseconds(lastEntry - injection.nanos());
            return new Restart(interrupted, fault.kind().toString(), fault.rank(), totalMs, phases);
        }
        DemoEvent.Restarted first = reported.get(0);
        long longest = reported.stream()
                .mapToLong(DemoEvent.Restarted::totalNanos)
                .max()
                .orElseThrow();
        String cause = first.cause().name().toLowerCase(Locale.ROOT);
        return new Restart(interrupted, cause, first.causeRank(), milliseconds(longest), phases);
    }

    private static Map<String, Double> longestPhases(List<DemoEvent.Restarted> reported) {
        Map<RestartReport.Phase, Long> longest = new EnumMap<>(RestartReport.Phase.class);
        reported.forEach(
                report -> report.phaseNanos().forEach((phase, nanos) -> longest.merge(phase, nanos, Math::max)));
        Map<String, Double> phases = new LinkedHashMap<>();
        longest.forEach((phase, nanos) -> phases.put(camelCase(phase), milliseconds(nanos)));
        return phases;
    }

    /** {@code LAST_CALL} becomes {@code lastCall}. */
    private static String camelCase(RestartReport.Phase phase) {
        String[] words = phase.name().toLowerCase(Locale.ROOT).split("_", -1);
        StringBuilder name = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            name.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
        }
        return name.toString();
    }

    /** Rounds to microseconds: what lies below is noise. */
    static double milliseconds(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos) / MICROS_PER_MILLI;
    }
}
