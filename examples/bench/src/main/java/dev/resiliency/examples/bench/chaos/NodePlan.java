package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Draws a job under agents and its faults, from the seed of the run and the number of the job. */
final class NodePlan extends Plan {
    private static final int NODES = 4;
    private static final int MOST_FAULTS = 3;
    private static final int LONGEST_DELAY_MILLIS = 3000;
    private static final int LONGEST_PAUSE_MILLIS = 1500;
    private static final List<String> POLICIES = List.of("soft", "hard", "soft-no-replace", "soft");
    /** Exit codes that mean nothing special to an agent: a rank that has not completed may not end with 0, either. */
    private static final List<Integer> EXIT_CODES = List.of(0, 1, 2, 3, 77, 143, 255);

    /** How often each place is hit: up to which of 100 it is drawn; the rest is {@link Place#SCALE}. */
    private static final NavigableMap<Integer, Place> SHARES = new TreeMap<>(Map.ofEntries(
            Map.entry(23, Place.STEP),
            Map.entry(32, Place.OUTSIDE),
            Map.entry(42, Place.EXIT),
            Map.entry(53, Place.AGENT_KILL),
            Map.entry(60, Place.AGENT_TERM),
            Map.entry(65, Place.AGENT_PAUSE),
            Map.entry(71, Place.AGENT_STOP),
            Map.entry(81, Place.NODE_KILL),
            Map.entry(85, Place.AGENT_USR1),
            Map.entry(88, Place.DRAIN),
            Map.entry(92, Place.STARVATION),
            Map.entry(97, Place.RESTART)));

    private static final List<FaultKind> SIGNALS =
            List.of(FaultKind.SIGKILL, FaultKind.SIGTERM, FaultKind.SIGSTOP, FaultKind.SIGSEGV);

    /**
     * Not the loss of a host: that is SIGSTOP to a node, which nobody would ever end; SIGINT asks not to be started again; and the
     * monitor process of all ranks is their agent.
     */
    private static final Set<FaultKind> KINDS =
            EnumSet.complementOf(EnumSet.of(FaultKind.HOST_LOSS, FaultKind.KILL_MONITOR, FaultKind.SIGINT));

    final JobSettings.UnderAgents settings;

    /** Draws a job; the first ones have all policies. */
    NodePlan(long seed, int job) {
        super(seed, job);
        String policy = job <= POLICIES.size() ? POLICIES.get(job - 1) : oneOf(POLICIES);
        int ranks = 1 + below(2);
        int spares = ranks == 1 ? below(2) : 0;
        settings = new JobSettings.UnderAgents(job, NODES, ranks, spares, policy, isHosted(seed, job), batches());
    }

    @Override
    Duration pause() {
        return millis(0, LONGEST_PAUSE_MILLIS);
    }

    /**
     * Draws what happens together, each on a node of its own.
     *
     * @param host the node whose agent hosts the store; -1 if none does
     */
    List<ChaosFault> batch(int host) {
        while (true) {
            List<ChaosFault> batch = drawn(host);
            if (host < 0 || isSurvived(batch, host)) {
                return batch;
            }
        }
    }

    /** More than half of the agents must be left to found the store anew, and nobody could give an order meanwhile. */
    private static boolean isSurvived(List<ChaosFault> batch, int host) {
        List<ChaosFault> grave = batch.stream()
                .filter(fault -> fault.place().endsAgent() || fault.place().isOfJob())
                .toList();
        return grave.size() <= 1 || grave.stream().noneMatch(fault -> fault.process() == host);
    }

    /** The first fault often hits the node that hosts the store. */
    private List<ChaosFault> drawn(int host) {
        int count = isOf(60) ? 1 : 2 + below(MOST_FAULTS - 1);
        List<Integer> free = IntStream.range(0, NODES).boxed().collect(Collectors.toCollection(ArrayList::new));
        List<ChaosFault> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean mayBeOfJob = batch.stream().noneMatch(fault -> fault.process() < 0);
            boolean isOnHost = i == 0 && host >= 0 && isOf(50);
            int node = free.remove(isOnHost ? host : below(free.size()));
            Duration delay = i == 0 ? Duration.ZERO : millis(0, LONGEST_DELAY_MILLIS);
            batch.add(fault(node, delay, place(mayBeOfJob, count == 1)));
        }
        return batch;
    }

    private ChaosFault fault(int node, Duration delay, Place place) {
        FaultKind kind = place == Place.STEP
                ? oneOf(List.copyOf(KINDS))
                : place == Place.OUTSIDE ? oneOf(SIGNALS) : FaultKind.SIGKILL;
        Duration length = switch (place) {
            case AGENT_PAUSE -> millis(200, (int) JobSettings.UnderAgents.LEASE.toMillis() / 2);
            case AGENT_STOP -> JobSettings.UnderAgents.LEASE.plus(millis(2000, 6000));
            case STARVATION -> millis(500, 3000);
            default -> Duration.ZERO;
        };
        return new ChaosFault(nextFault(), kind, place, place.isOfJob() ? -1 : node, delay, oneOf(EXIT_CODES), length);
    }

    /** Draws what happens; a size that changes amid other events would have no outcome that one could foresee. */
    private Place place(boolean mayBeOfJob, boolean isAlone) {
        Map.Entry<Integer, Place> share = SHARES.higherEntry(below(100));
        Place drawn = share == null ? Place.SCALE : share.getValue();
        boolean isPossible = drawn == Place.SCALE ? mayBeOfJob && isAlone : mayBeOfJob || !drawn.isOfJob();
        return isPossible ? drawn : mayBeOfJob ? Place.RESTART : Place.DRAIN;
    }

    /** Draws how long a scheduler takes to start an agent again: mostly within its lease, sometimes after. */
    Duration untilAgentStarts() {
        return isOf(75) ? millis(0, 3000) : JobSettings.UnderAgents.LEASE.plus(millis(500, 3000));
    }
}
