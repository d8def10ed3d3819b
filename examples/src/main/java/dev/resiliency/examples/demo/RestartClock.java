package dev.resiliency.examples.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Puts together what single ranks tell, so that restarts of the whole job come out. A restart is over when every rank
 * that is still alive has entered a later iteration; not always the next one, which may be interrupted right away.
 */
final class RestartClock {
    private static final double NANOS_PER_MILLI = 1e6;
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
        Map<String, Double> phases = new LinkedHashMap<>();
        told.forEach(report -> report.phases().forEach((phase, millis) -> phases.merge(phase, millis, Math::max)));
        phases.replaceAll((phase, millis) -> rounded(millis));

        Injection injection = injections.get(interrupted);
        if (injection != null) {
            Fault fault = injection.fault();
            double totalMs = rounded((lastEntry - injection.nanos()) / NANOS_PER_MILLI);
            return new Restart(interrupted, fault.kind().toString(), fault.rank(), totalMs, phases);
        }
        double longest =
                told.stream().mapToDouble(RankEvent.Restarted::totalMs).max().orElseThrow();
        return new Restart(interrupted, told.get(0).cause(), told.get(0).causeRank(), rounded(longest), phases);
    }

    private static double rounded(double millis) {
        return Math.round(millis * MICROS_PER_MILLI) / MICROS_PER_MILLI;
    }
}
