package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.fault.Fault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
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
 * Puts together what single ranks tell, so that restarts of the whole job come out. A restart is over when every rank
 * that is still alive has entered a later iteration; not always the next one, which may be interrupted right away.
 */
final class RestartClock {
    private static final double MICROS_PER_MILLI = 1e3;

    private final Set<Integer> alive = new TreeSet<>();
    private final List<NavigableMap<Integer, Long>> entries = new ArrayList<>(); // by rank: iteration, moment
    private final Map<Integer, Injection> injections = new HashMap<>();
    private final Map<Integer, List<RankEvent.Restarted>> reports = new HashMap<>();
    private int interrupted;

    private record Injection(Fault fault, long nanos) {}

    RestartClock(int ranks) {
        IntStream.range(0, ranks).forEach(rank -> {
            alive.add(rank);
            entries.add(new TreeMap<>());
        });
    }

    /** A rank has entered the function. */
    void entered(int rank, RankEvent.Entered entry) {
        entries.get(rank).put(entry.iteration(), entry.nanos());
    }

    /** A spare has entered an iteration. */
    void standsBy(int rank, RankEvent.StandsBy entry) {
        entries.get(rank).put(entry.iteration(), entry.nanos());
    }

    /** A fault was injected, in the iteration that its rank has entered last. If there are several, the first counts. */
    void injected(Fault fault, long nanos) {
        injections.merge(
                entries.get(fault.rank()).lastKey(),
                new Injection(fault, nanos),
                (first, second) -> second.nanos() - first.nanos() < 0 ? second : first);
    }

    /** A rank tells of a restart. */
    void reported(RankEvent.Restarted report) {
        reports.computeIfAbsent(report.iteration(), iteration -> new ArrayList<>())
                .add(report);
    }

    /** A rank is dead or has left: nobody waits for it any more. */
    void lost(int rank) {
        alive.remove(rank);
    }

    /** Takes the earliest restart that is over by now, if there is one that has not been taken yet. */
    Optional<Restart> takeOver() {
        List<RankEvent.Restarted> told = reports.getOrDefault(interrupted, List.of());
        Optional<Long> lastEntry = lastEntryAfter(interrupted);
        if (told.isEmpty() || lastEntry.isEmpty()) {
            return Optional.empty();
        }
        Restart restart = restart(told, lastEntry.get());
        interrupted++;
        return Optional.of(restart);
    }

    private Optional<Long> lastEntryAfter(int iteration) {
        List<Long> moments = new ArrayList<>();
        for (int rank : alive) {
            Map.Entry<Integer, Long> entry = entries.get(rank).higherEntry(iteration);
            if (entry == null) {
                return Optional.empty();
            }
            moments.add(entry.getValue());
        }
        return moments.stream().max(Comparator.naturalOrder());
    }

    private Restart restart(List<RankEvent.Restarted> told, long lastEntry) {
        Map<String, Double> phases = longestPhases(told);
        Injection injection = injections.get(interrupted);
        if (injection != null) {
            Fault fault = injection.fault();
            double totalMs = milliseconds(lastEntry - injection.nanos());
            return new Restart(interrupted, fault.kind().toString(), fault.rank(), totalMs, phases);
        }
        RankEvent.Restarted first = told.get(0);
        long longest =
                told.stream().mapToLong(RankEvent.Restarted::totalNanos).max().orElseThrow();
        String cause = first.cause().name().toLowerCase(Locale.ROOT);
        return new Restart(interrupted, cause, first.causeRank(), milliseconds(longest), phases);
    }

    private static Map<String, Double> longestPhases(List<RankEvent.Restarted> told) {
        Map<RestartReport.Phase, Long> longest = new EnumMap<>(RestartReport.Phase.class);
        told.forEach(report -> report.phaseNanos().forEach((phase, nanos) -> longest.merge(phase, nanos, Math::max)));
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

    /** To the microsecond: what lies below is noise. */
    private static double milliseconds(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos) / MICROS_PER_MILLI;
    }
}
