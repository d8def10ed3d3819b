package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Stage;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws a job and its faults, from the seed of the run and the number of the job. */
final class ChaosPlan {
    private static final int MOST_BATCHES = 24;
    private static final int LONGEST_PAUSE_MILLIS = 400;
    /** Long enough to hit each phase of a restart, and the time after it. */
    private static final int LONGEST_DELAY_MILLIS = 250;

    /** Long enough to hit the job while replacements of a first loss start, wait, and are taken in. */
    private static final int LONGEST_DELAY_OF_REPLACEMENT_MILLIS = 6000;

    private static final int LONGEST_COLLAPSE_MILLIS = 150;
    private static final int MOST_EXTRAS = 2;
    private static final int SHORTEST_OUTAGE_MILLIS = 100;

    private final SplittableRandom random;
    private final Set<FaultKind> kinds;
    private final Set<Disturbance> disturbances;
    private final boolean replaces;
    private int faults;

    /**
     * Draws only these kinds of faults, and these disturbances.
     *
     * @param replaces whether jobs replace the ranks that they lose
     */
    ChaosPlan(long seed, int job, Set<FaultKind> kinds, Set<Disturbance> disturbances, boolean replaces) {
        this.replaces = replaces;
        random = new SplittableRandom(seed * 1_000_003 + job);
        this.kinds = EnumSet.copyOf(kinds);
        this.disturbances = disturbances.isEmpty() ? Set.of() : EnumSet.copyOf(disturbances);
    }

    JobSettings settings(int job, int ranks) {
        int reserves = random.nextInt(Math.max(1, ranks / 3) + 1);
        boolean hosted = isOf(25);
        boolean patient = isOf(50);
        Duration lastCallWait = Duration.ofMillis(isOf(50) ? 10 : 0);
        int batches = MOST_BATCHES / 2 + random.nextInt(MOST_BATCHES / 2);
        return new JobSettings(
                job,
                ranks,
                ranks - reserves,
                hosted && !replaces,
                patient,
                lastCallWait,
                replaces ? Integer.MAX_VALUE : batches,
                replaces ? elasticity() : Elasticity.defaults().admission(Elasticity.Admission.never()));
    }

    private Elasticity elasticity() {
        return Elasticity.defaults()
                .joinWait(Duration.ofMillis(isOf(30) ? 0 : isOf(50) ? 300 : 1000))
                .replacementWait(Duration.ofMillis(isOf(70) ? 0 : 3000));
    }

    /** Draws how long the job is left alone. */
    Duration pause() {
        return Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS));
    }

    /** Draws one of them. */
    int oneOf(List<Integer> ranks) {
        return ranks.get(random.nextInt(ranks.size()));
    }

    /**
     * The processes that a batch may hit.
     *
     * @param live all of them
     * @param isActive which of them run the function
     * @param isMember which of them are in an iteration; the others wait to join
     * @param isRemote which of them reach the store through a network
     * @param spared how many must be left
     */
    record Targets(
            List<Integer> live,
            Predicate<Integer> isActive,
            Predicate<Integer> isMember,
            Predicate<Integer> isRemote,
            int spared) {}

    /**
     * Draws one fault or several, each on another process. The first one hits a job that is at rest. There are fewer if
     * only deadly ones could be drawn.
     */
    List<ChaosFault> batch(Targets targets) {
        List<Integer> left = new ArrayList<>(targets.live());
        List<ChaosFault> batch = new ArrayList<>();
        int count = Math.min(targets.live().size() - 1, isOf(55) ? 1 : 2 + random.nextInt(3));
        boolean atOnce = isOf(30);
        int longest = replaces && isOf(30) ? LONGEST_DELAY_OF_REPLACEMENT_MILLIS : LONGEST_DELAY_MILLIS;
        int spared = targets.live().size() - targets.spared();
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
                case NETWORK -> targets.isRemote();
                default -> process -> !place.needsMember() || targets.isMember().test(process);
            };
            free.put(place, place.isInBatches() ? left.stream().filter(isHit).toList() : List.of());
        }
        return free;
    }

    /** Draws whether the next batch kills all members of the job; only where it can begin anew. */
    boolean isCollapse() {
        return replaces && kinds.contains(FaultKind.SIGKILL) && isOf(6);
    }

    /** Draws whether a collapse spares those who wait. */
    boolean sparesWaiting() {
        return isOf(50);
    }

    /** Draws the faults of a collapse. */
    List<ChaosFault> collapse(List<Integer> processes) {
        boolean atOnce = isOf(50);
        return processes.stream()
                .map(process -> new ChaosFault(
                        faults++,
                        FaultKind.SIGKILL,
                        Place.OUTSIDE,
                        process,
                        Duration.ofMillis(atOnce ? 0 : random.nextInt(LONGEST_COLLAPSE_MILLIS))))
                .toList();
    }

    /** Draws whether a process that has just been launched is killed on its way into the job, and when. */
    Optional<Crash> crash() {
        if (!kinds.contains(FaultKind.SIGKILL) || !isOf(20)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (random.nextInt(4)) {
                    case 0 -> new Crash(null, Duration.ofMillis(random.nextInt(1500)));
                    case 1 -> new Crash(Stage.CONNECTED, Duration.ofMillis(random.nextInt(300)));
                    case 2 -> new Crash(Stage.MONITORED, Duration.ofMillis(random.nextInt(50)));
                    default -> new Crash(Stage.MONITORED, Duration.ofMillis(random.nextInt(1500)));
                });
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

    /**
     * Draws the processes that are started at the address of the job during the next batch: mostly none.
     *
     * @param live the ranks that are alive; all of them where the job replaces them
     * @param ranks how many ranks the job began with
     */
    List<Stray> strays(List<Integer> live, int ranks) {
        List<Disturbance> possible = Stream.of(Disturbance.values())
                .filter(kind -> (replaces ? kind.isRefusedAlways() : kind.isRefused()) && disturbances.contains(kind))
                .filter(kind -> kind != Disturbance.STARTED_AGAIN || live.size() < ranks)
                .toList();
        if (!isOf(25) || possible.isEmpty()) {
            return List.of();
        }
        Disturbance kind = possible.get(random.nextInt(possible.size()));
        return switch (kind) {
            case SECOND_JOB ->
                IntStream.range(0, ranks)
                        .mapToObj(rank -> new Stray(kind, rank, ranks))
                        .toList();
            case OTHER_WORLD -> {
                int worldSize = isOf(50) ? ranks + 1 : ranks - 1;
                yield List.of(new Stray(kind, 1 + random.nextInt(worldSize - 1), worldSize));
            }
            case STARTED_TWICE -> List.of(new Stray(kind, oneOf(live), ranks));
            default ->
                List.of(new Stray(
                        kind,
                        oneOf(IntStream.range(0, ranks)
                                .boxed()
                                .filter(rank -> !live.contains(rank))
                                .toList()),
                        ranks));
        };
    }

    /**
     * Draws whether a rank is started a second time during the next batch, where its process may join the job.
     *
     * @param extras how many such processes there are
     */
    boolean hasSecondProcess(int extras) {
        return replaces && isOf(12) && extras < MOST_EXTRAS && disturbances.contains(Disturbance.STARTED_TWICE);
    }

    /** Draws processes that are started when the job is complete. */
    List<Stray> late(int ranks) {
        return disturbances.contains(Disturbance.LATE)
                ? List.of(new Stray(Disturbance.LATE, 0, ranks), new Stray(Disturbance.LATE, ranks - 1, ranks))
                : List.of();
    }

    private boolean isOf(int percent) {
        return random.nextInt(100) < percent;
    }
}
