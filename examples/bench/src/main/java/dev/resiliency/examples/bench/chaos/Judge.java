package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.ChaosEvent.Left;
import dev.resiliency.examples.bench.chaos.ChaosEvent.Reason;
import dev.resiliency.examples.bench.chaos.ChaosEvent.Restarted;
import dev.resiliency.examples.bench.chaos.ChaosEvent.Struck;
import dev.resiliency.inprocess.Interruption.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares what the survivors report of a batch with the faults that were injected. The model is simple: processes with a
 * deadly fault are lost, all others are in a later iteration; each interrupted iteration has a fault as its reason; each
 * fault is the reason of at most one iteration, and a deadly one of exactly one. If ranks host the store, one that has left may
 * still host it, and interrupts another iteration when its process ends.
 *
 * <p>An iteration may also be interrupted for those who wait, and they must then be in the next
 * one. Those who were lost while they waited are the reason of no interruption. If no survivor was in an iteration, nobody
 * can report how it ended.
 *
 * <p>Of several faults at once, the first one interrupts the iteration, and its consequences may overtake the others: a
 * thread that was to sleep forever is woken. Also, a fault makes other ranks fail: ranks that wait for a hung rank hang,
 * too, and a connection to a lost rank breaks. So records of healthy ranks are accepted in an iteration that was struck,
 * if they are of these kinds.
 *
 * <p>Outages of the network that are shorter than the timeout, ranks of other jobs and neighbours are not part of the model: they
 * explain no restart, and cost no rank.
 */
final class Judge {
    private final Board board;
    private final JobSettings.Own settings;
    private final List<ChaosFault> batch;
    private final Set<Integer> cutOff;
    private final Map<ChaosFault, Set<Integer>> reportedIn = new HashMap<>(); // iterations
    private final List<String> wrong = new ArrayList<>();
    /** Whether an iteration ended of which no survivor could report anything. */
    private boolean isUnwitnessed;

    /**
     * Creates a judge.
     *
     * @param batch faults that may be the cause of restarts
     * @param cutOff processes that are cut off from the store meanwhile
     */
    Judge(Board board, JobSettings.Own settings, List<ChaosFault> batch, Set<Integer> cutOff) {
        this.board = board;
        this.settings = settings;
        this.batch = batch;
        this.cutOff = cutOff;
        batch.forEach(fault -> reportedIn.put(fault, new TreeSet<>()));
    }

    /** How a restart was reported; those who report the same agree. */
    private record Report(Set<Reason> reasons, Set<Integer> joined) {
        @Override
        public String toString() {
            return joined.isEmpty() ? reasons.toString() : reasons + ", joined: " + joined;
        }
    }

    /** Returns what is wrong, once the survivors of a batch in iteration {@code before} are in {@code after}. */
    List<String> judge(int before, int after) {
        board.iterations.between(before, after).forEach(this::judgeIteration);
        for (ChaosFault fault : batch) {
            Set<Integer> iterations = toldOf(fault);
            if (iterations.size() > 1) {
                wrong.add("%s is reported by several restarts, of iterations: %s".formatted(fault, iterations));
            }
            if (iterations.isEmpty() && fault.isDeadly() && board.hasHitMember(fault) && !isUnwitnessed) {
                wrong.add("%s is not reported by any restart".formatted(fault));
            }
        }
        batch.stream().filter(ChaosFault::isDeadly).forEach(this::judgeEnd);
        return wrong;
    }

    private void judgeIteration(int iteration) {
        List<ProcessView> witnesses = board.witnesses(iteration);
        if (witnesses.isEmpty()) {
            isUnwitnessed = true;
            return;
        }
        Map<Report, List<ProcessView>> reports = new LinkedHashMap<>();
        long knownAt = Long.MAX_VALUE;
        for (ProcessView process : witnesses) {
            Restarted report = process.in(iteration, Restarted.class);
            if (report == null && settings.hosted() && process.started(iteration + 1) == null) {
                continue; // the store was lost as the next one began: the restart after that says both
            }
            if (report == null) {
                wrong.add("%s has not reported its restart after iteration %d".formatted(process, iteration));
            } else {
                reports.computeIfAbsent(
                                new Report(new LinkedHashSet<>(report.reasons()), new TreeSet<>(report.joined())),
                                reasons -> new ArrayList<>())
                        .add(process);
                knownAt = Math.min(knownAt, report.knownAt());
            }
        }
        if (reports.size() > 1) {
            wrong.add("the survivors learned different reasons for the end of iteration %d: %s"
                    .formatted(iteration, reports));
        }
        Set<Reason> reasons = reports.keySet().stream()
                .flatMap(each -> each.reasons().stream())
                .collect(Collectors.toSet());
        Set<Integer> joined = reports.keySet().stream()
                .flatMap(each -> each.joined().stream())
                .collect(Collectors.toSet());
        judgeReasons(iteration, reasons, !joined.isEmpty(), knownAt);
        judgeJoined(iteration, joined);
    }

    private void judgeReasons(int iteration, Set<Reason> reasons, boolean hasAnyJoined, long knownAt) {
        boolean isStruck = batch.stream().anyMatch(fault -> isStruckIn(fault, iteration));
        boolean isScaledUp = reasons.stream().anyMatch(reason -> reason.kind() == Kind.SCALE_UP);
        List<Reason> unexplained = new ArrayList<>();
        for (Reason reason : reasons) {
            List<ChaosFault> causes = batch.stream()
                    .filter(fault -> explains(fault, reason, iteration))
                    .toList();
            if (isLostHost(reason, iteration) && causes.stream().allMatch(this::isTold)) {
                isStruck = true;
                continue;
            }
            causes.forEach(fault -> toldOf(fault).add(iteration));
            if (!causes.isEmpty() || isLostJoiner(reason, iteration)) {
                isStruck = true;
            } else if (reason.kind() != Kind.SCALE_UP) {
                unexplained.add(reason);
            }
        }
        if (!isStruck && !isScaledUp) {
            wrong.add("iteration %d was interrupted without a fault".formatted(iteration));
        }
        long noticed = knownAt - ChaosLimits.JOINER_LOSS.toNanos();
        if (isScaledUp && !hasAnyJoined && !isStruck && !board.hasLostJoinerAfter(noticed)) {
            wrong.add("iteration %d was interrupted for processes that wait, but nobody joined".formatted(iteration));
        }
        for (Reason reason : unexplained) {
            if (!(isStruck && isConsequence(reason)) && !(isScaledUp && isConsequenceOfScaleUp(reason))) {
                wrong.add("iteration %d was interrupted because of %s on rank %d (%s): no such fault was injected"
                        .formatted(iteration, reason.kind(), reason.rank(), reason.message()));
            }
        }
    }

    /** Whoever has joined is in the next iteration, unless it was killed; and nobody else is new there. */
    private void judgeJoined(int iteration, Set<Integer> joined) {
        Set<Integer> isNew = board.newIn(iteration + 1);
        for (int number : isNew) {
            if (!joined.contains(number)) {
                wrong.add("number %d is new in iteration %d, but the restart before reports that these joined: %s"
                        .formatted(number, iteration + 1, joined));
            }
        }
        for (int number : joined) {
            if (number < settings.ranks()) {
                wrong.add("a restart after iteration %d reports that number %d joined, which belongs to a founder"
                        .formatted(iteration, number));
            }
        }
    }

    /** Returns whether it is the end of a process that had left the job before, and hosted its store. */
    private boolean isLostHost(Reason reason, int iteration) {
        return settings.hosted() && reason.kind() == Kind.TERMINATED && board.hadLeft(reason.rank(), iteration);
    }

    /** Returns whether it is the end of a process that was admitted, and killed before it could say so. */
    private boolean isLostJoiner(Reason reason, int iteration) {
        return switch (reason.kind()) {
            case TERMINATED, TERMINATED_BY_RANK, MONITOR_PROCESS_LOST, HARD_TIMEOUT ->
                board.mayBeLostJoiner(reason.rank(), iteration);
            default -> false;
        };
    }

    /** A fault that its rank survives is reported by the iteration of the fault; a death, or where a store was lost, perhaps by the next. */
    private boolean explains(ChaosFault fault, Reason reason, int iteration) {
        Struck struck = board.struck(fault);
        return struck != null
                && board.iterations.areOfOneLife(struck.iteration(), iteration)
                && struck.iteration() <= iteration
                && (fault.isDeadly()
                        || struck.iteration() == iteration
                        || (settings.hosted()
                                && board.process(fault.process()).in(struck.iteration(), Restarted.class) == null))
                && board.process(fault.process()).number() == reason.rank()
                && explanations(fault).contains(reason.kind())
                && !isLostNeighbour(reason);
    }

    /** A rank that cannot reach the others when a fault ends it is found dead by them, as is one whose store ends with it. */
    private Set<Kind> explanations(ChaosFault fault) {
        Set<Kind> explanations = EnumSet.noneOf(Kind.class);
        explanations.addAll(fault.explanations());
        if (fault.isDeadly() && (settings.hosted() || cutOff.contains(fault.process()))) {
            explanations.add(Kind.TERMINATED);
        }
        return explanations;
    }

    private Set<Integer> toldOf(ChaosFault fault) {
        return reportedIn.getOrDefault(fault, Set.of());
    }

    private boolean isStruckIn(ChaosFault fault, int iteration) {
        Struck struck = board.struck(fault);
        return !fault.isHarmless() && struck != null && struck.iteration() == iteration;
    }

    private boolean isConsequence(Reason reason) {
        return reason.kind() == Kind.SOFT_TIMEOUT || reason.kind() == Kind.WAITING || isConsequenceOfScaleUp(reason);
    }

    /** The first ranks that stop break the connections to others, whose functions still run. */
    private boolean isConsequenceOfScaleUp(Reason reason) {
        return isLostNeighbour(reason) && !settings.patient();
    }

    private static boolean isLostNeighbour(Reason reason) {
        return reason.kind() == Kind.CONNECTION_LOST;
    }

    private void judgeEnd(ChaosFault fault) {
        ProcessView process = board.process(fault.process());
        Left left = process.last(Left.class);
        Integer exitCode = process.exitCode;
        boolean hasClosed = left != null && Objects.equals(exitCode, 0); // on order
        boolean asExpected = (exitCode == null || hasClosed)
                ? fault.leavesStandingStill() || (left != null && isExpected(left, fault))
                : fault.exitCodes().contains(exitCode);
        if (!asExpected) {
            wrong.add("after %s, %s should have exited with code %s or thrown one of %s, but: code %s, %s"
                    .formatted(fault, process, fault.exitCodes(), fault.exceptions(), exitCode, left));
        }
    }

    private boolean isExpected(Left left, ChaosFault fault) {
        return fault.exceptions().contains(left.exception())
                || (cutOff.contains(fault.process()) && ChaosFault.FENCED.contains(left.exception()));
    }

    /** Returns whether the survivors learned of a fault, rather than of another one that overtook it. */
    boolean isTold(ChaosFault fault) {
        return !toldOf(fault).isEmpty();
    }
}
