package dev.resiliency.examples.bench.chaos;

import dev.resiliency.inprocess.Interruption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares what the survivors were told of a volley with what was done. The model is simple: the ranks that were given a
 * deadly strike are lost, all others are in a later iteration; each iteration that was interrupted has a strike for its
 * reason; each strike is a reason in one iteration at most, and a deadly one in exactly one.
 *
 * <p>Of several faults at once the first one interrupts the iteration, and what it leads to may overtake the others: a
 * thread that was to sleep for ever is woken. And one fault makes other ranks fail: those that wait for a rank that
 * hangs, hang as well, and a connection to a rank that is gone breaks. So a record of a healthy rank is let pass in an
 * iteration that was struck, if it is of that kind.
 */
final class Judge {
    private final JobBoard board;
    private final JobSettings settings;
    private final List<Strike> volley;
    private final Map<Integer, Set<Integer>> toldIn = new HashMap<>(); // by strike: iterations

    Judge(JobBoard board, JobSettings settings, List<Strike> volley) {
        this.board = board;
        this.settings = settings;
        this.volley = volley;
        volley.forEach(strike -> toldIn.put(strike.id(), new TreeSet<>()));
    }

    /** All that is wrong, once the survivors of a volley that was fired in iteration {@code before} are in {@code after}. */
    List<String> judge(int before, int after) {
        List<String> wrong = new ArrayList<>();
        for (int iteration = before; iteration < after; iteration++) {
            wrong.addAll(judgeIteration(iteration));
        }
        for (Strike strike : volley) {
            Set<Integer> told = toldIn.getOrDefault(strike.id(), Set.of());
            if (told.size() > 1) {
                wrong.add("%s is told as the reason in several iterations: %s".formatted(strike, told));
            }
            if (told.isEmpty() && strike.isDeadly()) {
                wrong.add("%s is told as the reason nowhere".formatted(strike));
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
        Map<Set<ChaosEvent.Reason>, List<Integer>> told = new LinkedHashMap<>();
        for (int rank : board.survivors()) {
            ChaosEvent.Restarted report = board.rank(rank).restarted(iteration);
            if (report == null) {
                wrong.add("rank %d has not told of its restart after iteration %d".formatted(rank, iteration));
            } else {
                told.computeIfAbsent(new LinkedHashSet<>(report.reasons()), reasons -> new ArrayList<>())
                        .add(rank);
            }
        }
        if (told.size() > 1) {
            wrong.add("the survivors were told different reasons for the end of iteration %d: %s"
                    .formatted(iteration, told));
        }
        Set<ChaosEvent.Reason> reasons =
                told.keySet().stream().flatMap(Set::stream).collect(Collectors.toSet());
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
                wrong.add("iteration %d was interrupted because of %s on rank %d (%s): nothing of that was done"
                        .formatted(iteration, reason.kind(), reason.rank(), reason.message()));
            }
        }
        return wrong;
    }

    /** A fault that its rank survives is told where it happens; a death perhaps in the next iteration. */
    private boolean explains(Strike strike, ChaosEvent.Reason reason, int iteration) {
        ChaosEvent.Struck struck = board.struck(strike);
        return struck != null
                && (strike.isDeadly() ? struck.iteration() <= iteration : struck.iteration() == iteration)
                && strike.rank() == reason.rank()
                && strike.explanations().contains(reason.kind())
                && !isLostNeighbour(reason);
    }

    private Set<Integer> toldOf(Strike strike) {
        return toldIn.computeIfAbsent(strike.id(), id -> new TreeSet<>());
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
                ? strike.leavesStandingStill()
                        || (left != null && left.exception().equals(strike.exception()))
                : strike.exitCodes().contains(exitCode);
        return asExpected
                ? List.of()
                : List.of("after %s, rank %d should have ended with code %s or exception %s, but: code %s, %s"
                        .formatted(strike, strike.rank(), strike.exitCodes(), strike.exception(), exitCode, left));
    }

    /**
     * All that is wrong, once the host of the store is lost. Every rank must say so, unless it was lost itself; or if the
     * host stands still, and does not answer for longer than a hanging rank may live.
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

    /** Whether the survivors were told of a strike, rather than of another one that has overtaken it. */
    boolean isTold(Strike strike) {
        return !toldOf(strike).isEmpty();
    }
}
