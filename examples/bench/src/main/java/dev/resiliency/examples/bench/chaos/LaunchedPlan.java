package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.LaunchedFault.Kind;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Draws launched jobs and what happens to them, from the seed of the run and the number of the job. */
final class LaunchedPlan {
    private static final int MOST_FAULTS = 3;
    private static final int LONGEST_DELAY_MILLIS = 3000;
    private static final int LONGEST_PAUSE_MILLIS = 1500;
    /** Exit codes that mean nothing special to an agent: a rank that has not completed may not end with 0, either. */
    private static final List<Integer> EXIT_CODES = List.of(0, 1, 2, 3, 77, 143, 255);

    private static final List<FaultKind> SIGNALS =
            List.of(FaultKind.SIGKILL, FaultKind.SIGTERM, FaultKind.SIGSTOP, FaultKind.SIGSEGV);

    private final SplittableRandom random;
    private final List<FaultKind> rankFaults;
    private final int job;
    private int faults;

    LaunchedPlan(long seed, int job) {
        random = new SplittableRandom(seed * 1_000_003 + job);
        this.job = job;
        Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
        kinds.remove(FaultKind.HOST_LOSS); // that is SIGSTOP to a node, which nobody would ever end
        kinds.remove(FaultKind.SIGINT); // exit code 130 asks not to be started again
        rankFaults = List.copyOf(kinds);
    }

    /** Draws a job; the first ones have all policies. */
    LaunchedSettings settings(int nodes) {
        List<String> policies = List.of("soft", "hard", "soft-no-replace", "soft");
        String policy = job <= policies.size() ? policies.get(job - 1) : oneOf(policies);
        int ranks = 1 + random.nextInt(2);
        int spares = ranks == 1 ? random.nextInt(2) : 0;
        return new LaunchedSettings(job, nodes, ranks, spares, policy, 8 + random.nextInt(8));
    }

    /** Draws what happens together, each on a node of its own. */
    List<LaunchedFault> batch(int nodes) {
        int count = isOf(60) ? 1 : 2 + random.nextInt(MOST_FAULTS - 1);
        List<Integer> free = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            free.add(node);
        }
        List<LaunchedFault> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean mayBeOfJob = batch.stream().noneMatch(fault -> fault.node() < 0);
            int node = free.remove(random.nextInt(free.size()));
            batch.add(fault(node, i == 0 ? Duration.ZERO : millis(0, LONGEST_DELAY_MILLIS), mayBeOfJob, count == 1));
        }
        if (batch.stream().anyMatch(fault -> fault.rankFault() == FaultKind.BLOCKED_NATIVE)) {
            batch.removeIf(fault -> fault.kind() == Kind.STRANGERS); // it waits at a port, where they would free it
        }
        return batch;
    }

    private LaunchedFault fault(int node, Duration delay, boolean mayBeOfJob, boolean isAlone) {
        Kind kind = kind(mayBeOfJob, isAlone);
        FaultKind rankFault = kind == Kind.FAULT
                ? rankFaults.get(random.nextInt(rankFaults.size()))
                : kind == Kind.SIGNAL ? SIGNALS.get(random.nextInt(SIGNALS.size())) : FaultKind.SIGKILL;
        Duration length = switch (kind) {
            case AGENT_PAUSE -> millis(200, (int) LaunchedSettings.LEASE.toMillis() / 2);
            case AGENT_STOP -> LaunchedSettings.LEASE.plus(millis(2000, 6000));
            case STARVATION -> millis(500, 3000);
            case STRANGERS -> millis(2000, 4000);
            default -> Duration.ZERO;
        };
        return new LaunchedFault(
                faults++, kind, kind.isOfJob() ? -1 : node, delay, rankFault, oneOf(EXIT_CODES), length);
    }

    /** Draws what happens; a size that changes amid other events would have no outcome that one could foresee. */
    private Kind kind(boolean mayBeOfJob, boolean isAlone) {
        int percent = random.nextInt(100);
        if (percent < 22) {
            return Kind.FAULT;
        } else if (percent < 30) {
            return Kind.SIGNAL;
        } else if (percent < 40) {
            return Kind.EXIT;
        } else if (percent < 50) {
            return Kind.AGENT_KILL;
        } else if (percent < 57) {
            return Kind.AGENT_TERM;
        } else if (percent < 62) {
            return Kind.AGENT_PAUSE;
        } else if (percent < 68) {
            return Kind.AGENT_STOP;
        } else if (percent < 77) {
            return Kind.NODE_KILL;
        } else if (percent < 81) {
            return Kind.AGENT_USR1;
        } else if (percent < 84 || !mayBeOfJob) {
            return Kind.DRAIN;
        } else if (percent < 88) {
            return Kind.STARVATION;
        } else if (percent < 92) {
            return Kind.STRANGERS;
        } else if (percent < 97 || !isAlone) {
            return Kind.RESTART;
        }
        return Kind.SCALE;
    }

    /** Draws how long a scheduler takes to start an agent again: mostly within its lease, sometimes after. */
    Duration untilAgentStarts() {
        return isOf(75) ? millis(0, 3000) : LaunchedSettings.LEASE.plus(millis(500, 3000));
    }

    /** Draws how long the job is left alone. */
    Duration pause() {
        return millis(0, LONGEST_PAUSE_MILLIS);
    }

    /** Draws one of them. */
    <T> T oneOf(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    private Duration millis(int least, int most) {
        return Duration.ofMillis(least + random.nextInt(most - least));
    }

    private boolean isOf(int percent) {
        return random.nextInt(100) < percent;
    }
}
