package dev.resiliency.examples.bench.chaos;

import dev.resiliency.inprocess.Interruption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares what the survivors report of a volley with the faults that were injected. The model is simple: ranks with a
 * deadly strike are lost, all others are in a later iteration; each interrupted iteration has a strike as its reason; each
 * strike is the reason of at most one iteration, and a deadly one of exactly one.
 *
 * <p>Of several faults at once, the first one interrupts the iteration, and its consequences may overtake the others: a
 * thread that was to sleep forever is woken. Also, a fault makes other ranks fail: ranks that wait for a hung rank hang,
 * too, and a connection to a lost rank breaks. So records of healthy ranks are accepted in an iteration that was struck,
 * if they are of these kinds.
 *
 * <p>Outages of the network that are shorter than the timeout, second jobs and neighbours are not part of the model: they
 * explain no restart, and cost no rank.
 */
final class Judge {
    private final JobBoard board;
    private final JobSettings settings;
    private final List<Strike> volley;
    private final Set<Integer> cutOff;
    private final Map<Integer, Set<Integer>> reportedIn = new HashMap<>(); // by strike: iterations

    /** Creates a judge of a volley without an outage of the network. */
    Judge(JobBoard board, JobSettings settings, List<Strike> volley) {
        this(board, settings, volley, Set.of());
    }

    /** Creates a judge of a volley during which some ranks are cut off from the store. */
    Judge(JobBoard board, JobSettings settings, List<Strike> volley, Set<Integer> cutOff) {
        this.cutOff = Set.copyOf(cutOff);
        this.board = board;
        this.settings = settings;
        this.volley = volley;
        volley.forEach(strike -> reportedIn.put(strike.id(), new TreeSet<>()));
    }

    /** Returns what is wrong, once the survivors of a volley in iteration {@code before} are in {@code after}. */
    List<String> judge(int before, int after) {
        List<String> wrong = new ArrayList<>();
        for (int iteration = before; iteration < after; iteration++) {
            wrong.addAll(judgeIteration(iteration));
        }
        for (Strike strike : volley) {
            Set<Integer> iterations = reportedIn.getOrDefault(strike.id(), Set.of());
            if (iterations.size() > 1) {
                wrong.add("%s is reported by several restarts, of iterations: %s".formatted(strike, iterations));
            }
            if (iterations.isEmpty() && strike.isDeadly()) {
                wrong.add("%s is not reported by any restart".formatted(strike));
            }
        }
        for (Strike strike : volley) {
            if (strike.isDeadly()) {
                wrong.addAll(judgeEnd(strike));
            }
        }
        return wrong;
    }

    private List<String> judgeIteration(int iteration) {
        List<String> wrong = new ArrayList<>();
        Map<Set<ChaosEvent.Reason>, List<Integer>> reports = new LinkedHashMap<>();
        for (int rank : board.survivors()) {
            ChaosEvent.Restarted report = board.rank(rank).restarted(iteration);
            if (report == null) {
                wrong.add("rank %d has not reported its restart after iteration %d".formatted(rank, iteration));
            } else {
                reports.computeIfAbsent(new LinkedHashSet<>(report.reasons()), reasons -> new ArrayList<>())
                        .add(rank);
            }
        }
        if (reports.size() > 1) {
            wrong.add("the survivors learned different reasons for the end of iteration %d: %s"
                    .formatted(iteration, reports));
        }
        Set<ChaosEvent.Reason> reasons =
                reports.keySet().stream().flatMap(Set::stream).collect(Collectors.toSet());
        boolean isStruck = volley.stream().anyMatch(strike -> isStruckIn(strike, iteration));
        List<ChaosEvent.Reason> unexplained = new ArrayList<>();
        for (ChaosEvent.Reason reason : reasons) {
            List<Strike> causes = volley.stream()
                    .filter(strike -> explains(strike, reason, iteration))
                    .toList();
            causes.forEach(strike -> toldOf(strike).add(iteration));
            if (causes.isEmpty()) {
                unexplained.add(reason);
            } else {
                isStruck = true;
            }
        }
        if (!isStruck) {
            wrong.add("iteration %d was interrupted without a fault".formatted(iteration));
        }
        for (ChaosEvent.Reason reason : unexplained) {
            if (!(isStruck && isConsequence(reason))) {
                wrong.add("iteration %d was interrupted because of %s on rank %d (%s): no such fault was injected"
                        .formatted(iteration, reason.kind(), reason.rank(), reason.message()));
            }
        }
        return wrong;
    }

    /** A fault that its rank survives is reported by the iteration of the fault; a death perhaps by the next one. */
    private boolean explains(Strike strike, ChaosEvent.Reason reason, int iteration) {
        ChaosEvent.Struck struck = board.struck(strike);
        return struck != null
                && (strike.isDeadly() ? struck.iteration() <= iteration : struck.iteration() == iteration)
                && strike.rank() == reason.rank()
                && explanations(strike).contains(reason.kind())
                && !isLostNeighbour(reason);
    }

    /** A rank that cannot reach the others when a fault ends it is found dead by them. */
    private Set<Interruption.Kind> explanations(Strike strike) {
        Set<Interruption.Kind> explanations = EnumSet.noneOf(Interruption.Kind.class);
        explanations.addAll(strike.explanations());
        if (strike.isDeadly() && cutOff.contains(strike.rank())) {
            explanations.add(Interruption.Kind.TERMINATED);
        }
        return explanations;
    }

    private Set<Integer> toldOf(Strike strike) {
        return reportedIn.computeIfAbsent(strike.id(), id -> new TreeSet<>());
    }

    private boolean isStruckIn(Strike strike, int iteration) {
        ChaosEvent.Struck struck = board.struck(strike);
        return !strike.isHarmless() && struck != null && struck.iteration() == iteration;
    }

    private boolean isConsequence(ChaosEvent.Reason reason) {
        return reason.kind() == Interruption.Kind.SOFT_TIMEOUT || (isLostNeighbour(reason) && !settings.patient());
    }

    private static boolean isLostNeighbour(ChaosEvent.Reason reason) {
        return reason.kind() == Interruption.Kind.EXCEPTION
                && reason.message().startsWith("java.io.IOException: rank ");
    }

    private List<String> judgeEnd(Strike strike) {
        RankView rank = board.rank(strike.rank());
        ChaosEvent.Left left = rank.left();
        Integer exitCode = rank.exitCode();
        boolean asExpected = exitCode == null
                ? strike.leavesStandingStill() || (left != null && isExpected(left, strike))
                : strike.exitCodes().contains(exitCode);
        return asExpected
                ? List.of()
                : List.of("after %s, rank %d should have exited with code %s or thrown one of %s, but: code %s, %s"
                        .formatted(strike, strike.rank(), strike.exitCodes(), strike.exceptions(), exitCode, left));
    }

    private boolean isExpected(ChaosEvent.Left left, Strike strike) {
        return strike.exceptions().contains(left.exception())
                || (cutOff.contains(strike.rank()) && Strike.FENCED.contains(left.exception()));
    }

    /**
     * Returns what is wrong, once the host of the store is lost. Every rank must report that, unless it was lost itself, or
     * the host is frozen for longer than a hung rank may live.
     */
    List<String> judgeStoreLoss() {
        List<String> wrong = new ArrayList<>();
        Strike cause = board.rank(0).deadly();
        boolean silent = cause != null && cause.makesSilent();
        for (int rank : board.survivors()) {
            ChaosEvent.Left left = board.rank(rank).left();
            Integer exitCode = board.rank(rank).exitCode();
            boolean saysSo = left != null && left.exception().equals("StoreLostException");
            boolean hangs = silent && exitCode != null && Strike.ENDED_BY_MONITOR.contains(exitCode);
            if (!saysSo && !hangs && !board.waitsForSilentStore(rank)) {
                wrong.add(
                        "with the host of the store, rank %d should have left with StoreLostException, but: code %s, %s"
                                .formatted(rank, exitCode, left));
            }
        }
        return wrong;
    }

    /** Returns whether the survivors learned of a strike, rather than of another one that overtook it. */
    boolean isTold(Strike strike) {
        return !toldOf(strike).isEmpty();
    }
}
