package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.StagedStore.Stage;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Draws a job and its faults, from the seed of the run and the number of the job. */
final class ChaosPlan {
    private static final int LONGEST_PAUSE_MILLIS = 400;
    /** Long enough to hit each phase of a restart, and the time after it. */
    private static final int LONGEST_DELAY_MILLIS = 250;

    /** Long enough to hit the job while replacements of a first loss start, wait, and are taken in. */
    private static final int LONGEST_DELAY_OF_REPLACEMENT_MILLIS = 6000;

    private static final int LONGEST_COLLAPSE_MILLIS = 150;
    private static final int MOST_EXTRAS = 2;
    private static final int SHORTEST_OUTAGE_MILLIS = 100;

    // Under agents:

    private static final int MOST_FAULTS_OF_NODES = 3;
    private static final int LONGEST_DELAY_OF_NODES_MILLIS = 3000;
    private static final int LONGEST_PAUSE_OF_NODES_MILLIS = 1500;
    /** Exit codes that mean nothing special to an agent: a rank that has not completed may not end with 0, either. */
    private static final List<Integer> EXIT_CODES = List.of(0, 1, 2, 3, 77, 143, 255);

    /** How often each place is hit: up to which of 100 it is drawn; the rest is {@link Place#SCALE}. */
    private static final NavigableMap<Integer, Place> SHARES = new TreeMap<>(Map.ofEntries(
            Map.entry(22, Place.STEP),
            Map.entry(30, Place.OUTSIDE),
            Map.entry(40, Place.EXIT),
            Map.entry(50, Place.AGENT_KILL),
            Map.entry(57, Place.AGENT_TERM),
            Map.entry(62, Place.AGENT_PAUSE),
            Map.entry(68, Place.AGENT_STOP),
            Map.entry(77, Place.NODE_KILL),
            Map.entry(81, Place.AGENT_USR1),
            Map.entry(84, Place.DRAIN),
            Map.entry(88, Place.STARVATION),
            Map.entry(92, Place.STRANGERS),
            Map.entry(97, Place.RESTART)));

    private static final List<FaultKind> SIGNALS =
            List.of(FaultKind.SIGKILL, FaultKind.SIGTERM, FaultKind.SIGSTOP, FaultKind.SIGSEGV);

    private final SplittableRandom random;
    private final Set<FaultKind> kinds;
    private final Set<Disturbance> disturbances;
    private int faults;

    /** Draws only these kinds of faults, and these disturbances. */
    ChaosPlan(long seed, int job, Set<FaultKind> kinds, Set<Disturbance> disturbances) {
        random = new SplittableRandom(seed * 1_000_003 + job);
        this.kinds = EnumSet.copyOf(kinds);
        this.disturbances = disturbances.isEmpty() ? Set.of() : EnumSet.copyOf(disturbances);
    }

    JobSettings settings(int job, int ranks) {
        int reserves = random.nextInt(Math.max(1, ranks / 3) + 1);
        boolean patient = isOf(50);
        Duration lastCallWait = Duration.ofMillis(isOf(50) ? 10 : 0);
        Elasticity elasticity = Elasticity.defaults()
                .joinWait(Duration.ofMillis(isOf(30) ? 0 : isOf(50) ? 300 : 1000))
                .replacementWait(Duration.ofMillis(isOf(70) ? 0 : 3000));
        return new JobSettings(job, ranks, ranks - reserves, patient, lastCallWait, elasticity);
    }

    /** Draws a job under agents; the first ones have all policies. */
    JobSettings.UnderAgents settingsUnderAgents(int job, int nodes) {
        List<String> policies = List.of("soft", "hard", "soft-no-replace", "soft");
        String policy = job <= policies.size() ? policies.get(job - 1) : oneOf(policies);
        int ranks = 1 + random.nextInt(2);
        int spares = ranks == 1 ? random.nextInt(2) : 0;
        return new JobSettings.UnderAgents(job, nodes, ranks, spares, policy, 8 + random.nextInt(8));
    }

    /** Draws how long the job is left alone. */
    Duration pause() {
        return Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS));
    }

    /** Draws how long a job under agents is left alone. */
    Duration pauseOfNodes() {
        return millis(0, LONGEST_PAUSE_OF_NODES_MILLIS);
    }

    /** Draws one of them. */
    <T> T oneOf(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    /**
     * The processes that a batch may hit.
     *
     * @param live all of them
     * @param isActive which of them run the function
     * @param isMember which of them are in an iteration; the others wait to join
     */
    record Targets(List<Integer> live, Predicate<Integer> isActive, Predicate<Integer> isMember) {}

    /**
     * Draws one fault or several, each on another process. The first one hits a job that is at rest. There are fewer if
     * only deadly ones could be drawn.
     */
    List<ChaosFault> batch(Targets targets) {
        List<Integer> left = new ArrayList<>(targets.live());
        List<ChaosFault> batch = new ArrayList<>();
        int count = Math.min(targets.live().size() - 1, isOf(55) ? 1 : 2 + random.nextInt(3));
        boolean atOnce = isOf(30);
        int longest = isOf(30) ? LONGEST_DELAY_OF_REPLACEMENT_MILLIS : LONGEST_DELAY_MILLIS;
        int spared = targets.live().size() - 1;
        for (int i = 0; i < count; i++) {
            boolean deadly = isOf(30);
            int delay = i == 0 || atOnce ? 0 : random.nextInt(longest);
            Map<Place, List<Integer>> free = free(left, targets);
            boolean mayDie = spared > 0;
            List<ChaosFault> possible = Stream.of(deadly, !deadly)
                    .filter(dies -> mayDie || !dies)
                    .map(dies -> possible(batch.isEmpty(), dies, free))
                    .filter(choice -> !choice.isEmpty())
                    .findFirst()
                    .orElse(List.of());
            if (possible.isEmpty()) {
                return batch;
            }
            ChaosFault fault = draw(possible, free, delay);
            spared -= fault.isDeadly() ? 1 : 0;
            batch.add(fault);
            left.remove((Integer) fault.process());
        }
        return batch;
    }

    private static Map<Place, List<Integer>> free(List<Integer> left, Targets targets) {
        Map<Place, List<Integer>> free = new EnumMap<>(Place.class);
        for (Place place : Place.values()) {
            Predicate<Integer> isHit = switch (place) {
                case STEP -> targets.isActive();
                default -> process -> place.isOutside() || targets.isMember().test(process);
            };
            free.put(
                    place,
                    place == Place.JOINING
                            ? List.of()
                            : left.stream().filter(isHit).toList());
        }
        return free;
    }

    /** Draws whether the next batch kills all members of the job. */
    boolean isCollapse() {
        return kinds.contains(FaultKind.SIGKILL) && isOf(6);
    }

    /** Draws whether a collapse spares those who wait. */
    boolean sparesWaiting() {
        return isOf(50);
    }

    /** Draws the faults of a collapse. */
    List<ChaosFault> collapse(List<Integer> processes) {
        int longest = isOf(50) ? 1 : LONGEST_COLLAPSE_MILLIS;
        return processes.stream()
                .map(process -> new ChaosFault(
                        faults++,
                        FaultKind.SIGKILL,
                        Place.OUTSIDE,
                        process,
                        Duration.ofMillis(random.nextInt(longest))))
                .toList();
    }

    /** Draws whether a process that has just been launched is killed on its way into the job, and when. */
    Optional<Crash> crash() {
        if (!kinds.contains(FaultKind.SIGKILL) || !isOf(20)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (random.nextInt(4)) {
                    case 0 -> new Crash(null, millis(0, 1500));
                    case 1 -> new Crash(Stage.CONNECTED, millis(0, 300));
                    case 2 -> new Crash(Stage.MONITORED, millis(0, 50));
                    default -> new Crash(Stage.MONITORED, millis(0, 1500));
                });
    }

    /**
     * The death of a process on its way into the job.
     *
     * @param after the stage that it reaches before; null for its launch
     * @param delay how long after that it is killed
     */
    record Crash(@Nullable Stage after, Duration delay) {
        /** Returns whether this process is due to be killed, now. */
        boolean isDue(ProcessView process, long now) {
            Long reached = after == null ? (Long) process.launchedAt : process.reached(after);
            return reached != null && now - reached >= delay.toNanos();
        }
    }

    /** Returns the fault that is a crash of this process. */
    ChaosFault crashOf(int process) {
        return new ChaosFault(faults++, FaultKind.SIGKILL, Place.JOINING, process, Duration.ZERO);
    }

    /** Draws how long it takes until a process whose host is lost is started elsewhere. */
    Duration untilStartedElsewhere() {
        return Duration.ofMillis(random.nextInt(LONGEST_DELAY_OF_REPLACEMENT_MILLIS));
    }

    /** Returns each kind at each place, without a process. */
    private List<ChaosFault> possible(boolean first, boolean deadly, Map<Place, List<Integer>> free) {
        List<ChaosFault> possible = new ArrayList<>();
        for (FaultKind kind : kinds) {
            for (Place place : Place.values()) {
                ChaosFault fault = new ChaosFault(faults, kind, place, 0, Duration.ZERO);
                if (place.allows(kind)
                        && !(first && place.isInRestart())
                        && !at(place, free).isEmpty()
                        && fault.isDeadly() == deadly) {
                    possible.add(fault);
                }
            }
        }
        return possible;
    }

    private static List<Integer> at(Place place, Map<Place, List<Integer>> free) {
        return free.getOrDefault(place, List.of());
    }

    /** Draws the kind first, so that kinds with a single place are as frequent as others. */
    private ChaosFault draw(List<ChaosFault> possible, Map<Place, List<Integer>> free, int delay) {
        List<FaultKind> drawable =
                possible.stream().map(ChaosFault::kind).distinct().toList();
        FaultKind kind = drawable.get(random.nextInt(drawable.size()));
        List<ChaosFault> ofKind =
                possible.stream().filter(each -> each.kind() == kind).toList();
        Place place = ofKind.get(random.nextInt(ofKind.size())).place();
        int process = oneOf(at(place, free));
        return new ChaosFault(faults++, kind, place, process, Duration.ofMillis(place.isInRestart() ? 0 : delay));
    }

    /** Draws whether the next batch consists of an outage alone, which must change nothing. */
    boolean isOutageAlone() {
        return isOf(20) && disturbances.contains(Disturbance.OUTAGE);
    }

    /** Draws whether the network fails during the next batch as well. */
    boolean isOutageBeside() {
        return isOf(25) && disturbances.contains(Disturbance.OUTAGE);
    }

    /**
     * Draws an outage that is shorter than the timeout: often of one process, often of all but one, which is then on the host of
     * the leader.
     *
     * @param remote the processes that reach the store through a network; at least one
     * @param longest how long it lasts at most
     */
    Outage outage(List<Integer> remote, Duration longest) {
        int choice = random.nextInt(100);
        List<Integer> cut;
        if (choice < 40) {
            cut = List.of(oneOf(remote));
        } else if (choice < 65) {
            cut = remote.stream().filter(process -> isOf(50)).toList();
        } else if (choice < 90) {
            cut = remote.subList(Math.min(1, remote.size() - 1), remote.size());
        } else {
            cut = remote;
        }
        Outage.Side side = isOf(50) ? Outage.Side.ALL : isOf(50) ? Outage.Side.RANK : Outage.Side.MONITOR;
        Outage.Direction direction =
                isOf(60) ? Outage.Direction.BOTH : isOf(50) ? Outage.Direction.TO_STORE : Outage.Direction.FROM_STORE;
        Duration delay = Duration.ofMillis(isOf(50) ? 0 : random.nextInt(LONGEST_DELAY_MILLIS));
        Duration length = Duration.ofMillis(
                SHORTEST_OUTAGE_MILLIS + random.nextInt((int) longest.toMillis() - SHORTEST_OUTAGE_MILLIS + 1));
        return new Outage(cut.isEmpty() ? remote : cut, side, direction, delay, length, isOf(50));
    }

    /** Draws whether a neighbour keeps the store busy during the next batch. */
    boolean hasNeighbour() {
        return isOf(10) && disturbances.contains(Disturbance.NEIGHBOUR);
    }

    /** Returns whether processes are started when the job is complete. */
    boolean hasLateProcesses() {
        return disturbances.contains(Disturbance.LATE);
    }

    /** Draws the size of another job, a rank of which is started at the address of this one; empty for none. */
    OptionalInt otherWorld(int ranks) {
        return isOf(25) && disturbances.contains(Disturbance.OTHER_WORLD)
                ? OptionalInt.of(isOf(50) ? ranks + 1 : ranks - 1)
                : OptionalInt.empty();
    }

    /**
     * Draws whether a rank is started a second time during the next batch, where its process may join the job.
     *
     * @param extras how many such processes there are
     */
    boolean hasSecondProcess(int extras) {
        return isOf(12) && extras < MOST_EXTRAS && disturbances.contains(Disturbance.STARTED_TWICE);
    }

    /** Draws what happens together, each on a node of its own. */
    List<ChaosFault> batchOfNodes(int nodes) {
        int count = isOf(60) ? 1 : 2 + random.nextInt(MOST_FAULTS_OF_NODES - 1);
        List<Integer> free = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            free.add(node);
        }
        List<ChaosFault> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean mayBeOfJob = batch.stream().noneMatch(fault -> fault.process() < 0);
            int node = free.remove(random.nextInt(free.size()));
            batch.add(fault(
                    node, i == 0 ? Duration.ZERO : millis(0, LONGEST_DELAY_OF_NODES_MILLIS), mayBeOfJob, count == 1));
        }
        if (batch.stream().anyMatch(fault -> fault.kind() == FaultKind.BLOCKED_NATIVE)) {
            batch.removeIf(fault -> fault.place() == Place.STRANGERS); // it waits at a port, where they would free it
        }
        return batch;
    }

    private ChaosFault fault(int node, Duration delay, boolean mayBeOfJob, boolean isAlone) {
        Place place = place(mayBeOfJob, isAlone);
        FaultKind kind = place == Place.STEP
                ? oneOf(List.copyOf(kinds))
                : place == Place.OUTSIDE ? oneOf(SIGNALS) : FaultKind.SIGKILL;
        Duration length = switch (place) {
            case AGENT_PAUSE -> millis(200, (int) JobSettings.UnderAgents.LEASE.toMillis() / 2);
            case AGENT_STOP -> JobSettings.UnderAgents.LEASE.plus(millis(2000, 6000));
            case STARVATION -> millis(500, 3000);
            case STRANGERS -> millis(2000, 4000);
            default -> Duration.ZERO;
        };
        return new ChaosFault(faults++, kind, place, place.isOfJob() ? -1 : node, delay, oneOf(EXIT_CODES), length);
    }

    /** Draws what happens; a size that changes amid other events would have no outcome that one could foresee. */
    private Place place(boolean mayBeOfJob, boolean isAlone) {
        Map.Entry<Integer, Place> share = SHARES.higherEntry(random.nextInt(100));
        Place drawn = share == null ? Place.SCALE : share.getValue();
        boolean isPossible = drawn == Place.SCALE ? mayBeOfJob && isAlone : mayBeOfJob || !drawn.isOfJob();
        return isPossible ? drawn : mayBeOfJob ? Place.RESTART : Place.DRAIN;
    }

    /** Draws how long a scheduler takes to start an agent again: mostly within its lease, sometimes after. */
    Duration untilAgentStarts() {
        return isOf(75) ? millis(0, 3000) : JobSettings.UnderAgents.LEASE.plus(millis(500, 3000));
    }

    private Duration millis(int least, int most) {
        return Duration.ofMillis(least + random.nextInt(most - least));
    }

    private boolean isOf(int percent) {
        return random.nextInt(100) < percent;
    }
}
