package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws a job and its faults, from the seed of the run and the number of the job. */
final class Dice {
    private static final int MOST_VOLLEYS = 24;
    private static final int LONGEST_PAUSE_MILLIS = 400;
    /** Long enough to hit each phase of a restart, and the time after it. */
    private static final int LONGEST_DELAY_MILLIS = 250;

    private static final int SHORTEST_OUTAGE_MILLIS = 100;
    /** Places that are not limited to some ranks. */
    private static final List<Integer> ANY = List.of(0);

    private final SplittableRandom random;
    private final Set<FaultKind> kinds;
    private final Set<Disturbance> disturbances;
    private int strikes;

    /** Draws only these kinds of faults, and these disturbances. */
    Dice(long seed, int job, Set<FaultKind> kinds, Set<Disturbance> disturbances) {
        random = new SplittableRandom(seed * 1_000_003 + job);
        this.kinds = EnumSet.copyOf(kinds);
        this.disturbances = disturbances.isEmpty() ? Set.of() : EnumSet.copyOf(disturbances);
    }

    JobSettings settings(int job, int ranks) {
        int reserves = random.nextInt(Math.max(1, ranks / 3) + 1);
        boolean hosted = isOf(25);
        boolean patient = isOf(50);
        Duration lastCallWait = Duration.ofMillis(isOf(50) ? 10 : 0);
        return new JobSettings(
                job,
                ranks,
                ranks - reserves,
                hosted,
                patient,
                lastCallWait,
                MOST_VOLLEYS / 2 + random.nextInt(MOST_VOLLEYS / 2));
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
     * Draws one strike or several, each on another rank, that leave at least two ranks. The first one strikes a job that is
     * at rest. There are fewer if only deadly ones could be drawn.
     *
     * @param live the ranks that are alive
     * @param isActive which of them run the function
     * @param isRemote which of them reach the store through a network
     */
    List<Strike> volley(List<Integer> live, Predicate<Integer> isActive, Predicate<Integer> isRemote) {
        List<Integer> left = new ArrayList<>(live);
        List<Strike> volley = new ArrayList<>();
        int count = Math.min(live.size() - 1, isOf(55) ? 1 : 2 + random.nextInt(3));
        boolean atOnce = isOf(30);
        int spared = live.size() - 2;
        for (int i = 0; i < count; i++) {
            boolean deadly = isOf(30);
            int delay = i == 0 || atOnce ? 0 : random.nextInt(LONGEST_DELAY_MILLIS);
            Map<Place, List<Integer>> free = Map.of(
                    Place.STEP, left.stream().filter(isActive).toList(),
                    Place.NETWORK, left.stream().filter(isRemote).toList());
            boolean mayDie = spared > 0;
            List<Strike> possible = Stream.of(deadly, !deadly)
                    .filter(dies -> mayDie || !dies)
                    .map(dies -> possible(volley.isEmpty(), dies, free))
                    .filter(choice -> !choice.isEmpty())
                    .findFirst()
                    .orElse(List.of());
            if (possible.isEmpty()) {
                return volley;
            }
            Strike strike = draw(possible, free, left, delay);
            spared -= strike.isDeadly() ? 1 : 0;
            volley.add(strike);
            left.remove((Integer) strike.rank());
        }
        return volley;
    }

    /** Returns each kind at each place, without a rank. */
    private List<Strike> possible(boolean first, boolean deadly, Map<Place, List<Integer>> free) {
        List<Strike> possible = new ArrayList<>();
        for (FaultKind kind : kinds) {
            for (Place place : Place.values()) {
                Strike strike = new Strike(strikes, kind, place, 0, Duration.ZERO);
                if (place.allows(kind)
                        && !(first && place.isInRestart())
                        && !free.getOrDefault(place, ANY).isEmpty()
                        && strike.isDeadly() == deadly) {
                    possible.add(strike);
                }
            }
        }
        return possible;
    }

    /** Draws the kind first, so that kinds with a single place are as frequent as others. */
    private Strike draw(List<Strike> possible, Map<Place, List<Integer>> free, List<Integer> left, int delay) {
        List<FaultKind> drawable =
                possible.stream().map(Strike::kind).distinct().toList();
        FaultKind kind = drawable.get(random.nextInt(drawable.size()));
        List<Strike> ofKind =
                possible.stream().filter(each -> each.kind() == kind).toList();
        Place place = ofKind.get(random.nextInt(ofKind.size())).place();
        int rank = oneOf(free.getOrDefault(place, left));
        return new Strike(strikes++, kind, place, rank, Duration.ofMillis(place.isInRestart() ? 0 : delay));
    }

    /** Draws whether the next volley consists of an outage alone, which must change nothing. */
    boolean isOutageAlone() {
        return isOf(20) && disturbances.contains(Disturbance.OUTAGE);
    }

    /** Draws whether the network fails during the next volley as well. */
    boolean isOutageBeside() {
        return isOf(25) && disturbances.contains(Disturbance.OUTAGE);
    }

    /**
     * Draws an outage that is shorter than the timeout: often of one rank, often of all but one, which is then on the host of
     * the leader.
     *
     * @param remote the ranks that reach the store through a network; at least one
     * @param longest how long it lasts at most
     */
    Outage outage(List<Integer> remote, Duration longest) {
        int choice = random.nextInt(100);
        List<Integer> cut;
        if (choice < 40) {
            cut = List.of(oneOf(remote));
        } else if (choice < 65) {
            cut = remote.stream().filter(rank -> isOf(50)).toList();
        } else if (choice < 90) {
            cut = remote.subList(Math.min(1, remote.size() - 1), remote.size());
        } else {
            cut = remote;
        }
        Outage.Processes processes =
                isOf(50) ? Outage.Processes.ALL : isOf(50) ? Outage.Processes.RANK : Outage.Processes.MONITOR;
        Outage.Direction direction =
                isOf(60) ? Outage.Direction.BOTH : isOf(50) ? Outage.Direction.TO_STORE : Outage.Direction.FROM_STORE;
        Duration delay = Duration.ofMillis(isOf(50) ? 0 : random.nextInt(LONGEST_DELAY_MILLIS));
        Duration length = Duration.ofMillis(
                SHORTEST_OUTAGE_MILLIS + random.nextInt((int) longest.toMillis() - SHORTEST_OUTAGE_MILLIS + 1));
        return new Outage(cut.isEmpty() ? remote : cut, processes, direction, delay, length, isOf(50));
    }

    /** Draws whether a neighbour keeps the store busy during the next volley. */
    boolean hasNeighbour() {
        return isOf(10) && disturbances.contains(Disturbance.NEIGHBOUR);
    }

    /**
     * Draws the processes that are started at the address of the job during the next volley: mostly none.
     *
     * @param live the ranks that are alive
     * @param ranks how many ranks the job began with
     */
    List<Stray> strays(List<Integer> live, int ranks) {
        List<Disturbance> possible = Stream.of(Disturbance.values())
                .filter(kind -> kind.isRefused() && disturbances.contains(kind))
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

    private boolean isOf(int percent) {
        return random.nextInt(100) < percent;
    }
}
