package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Draws a job and its faults, from the seed of the run and the number of the job. */
final class Dice {
    private static final int MOST_VOLLEYS = 24;
    private static final int LONGEST_PAUSE_MILLIS = 400;
    /** Long enough to hit each phase of a restart, and the time after it. */
    private static final int LONGEST_DELAY_MILLIS = 250;

    private final SplittableRandom random;
    private final Set<FaultKind> kinds;
    private int strikes;

    /** Draws only these kinds. */
    Dice(long seed, int job, Set<FaultKind> kinds) {
        random = new SplittableRandom(seed * 1_000_003 + job);
        this.kinds = EnumSet.copyOf(kinds);
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
     */
    List<Strike> volley(List<Integer> live, Predicate<Integer> isActive) {
        List<Integer> free = new ArrayList<>(live);
        List<Strike> volley = new ArrayList<>();
        int count = Math.min(live.size() - 1, isOf(55) ? 1 : 2 + random.nextInt(3));
        boolean atOnce = isOf(30);
        int spared = live.size() - 2;
        for (int i = 0; i < count; i++) {
            boolean deadly = isOf(30);
            int delay = i == 0 || atOnce ? 0 : random.nextInt(LONGEST_DELAY_MILLIS);
            List<Integer> active = free.stream().filter(isActive).toList();
            boolean mayDie = spared > 0;
            List<Strike> possible = Stream.of(deadly, !deadly)
                    .filter(dies -> mayDie || !dies)
                    .map(dies -> possible(volley.isEmpty(), dies, active))
                    .filter(choice -> !choice.isEmpty())
                    .findFirst()
                    .orElse(List.of());
            if (possible.isEmpty()) {
                return volley;
            }
            Strike strike = draw(possible, active, free, delay);
            spared -= strike.isDeadly() ? 1 : 0;
            volley.add(strike);
            free.remove((Integer) strike.rank());
        }
        return volley;
    }

    /** Returns each kind at each place, without a rank. */
    private List<Strike> possible(boolean first, boolean deadly, List<Integer> active) {
        List<Strike> possible = new ArrayList<>();
        for (FaultKind kind : kinds) {
            for (Place place : Place.values()) {
                Strike strike = new Strike(strikes, kind, place, 0, Duration.ZERO);
                if (place.allows(kind)
                        && !(first && place.isInRestart())
                        && !(place == Place.STEP && active.isEmpty())
                        && strike.isDeadly() == deadly) {
                    possible.add(strike);
                }
            }
        }
        return possible;
    }

    /** Draws the kind first, so that kinds with a single place are as frequent as others. */
    private Strike draw(List<Strike> possible, List<Integer> active, List<Integer> free, int delay) {
        List<FaultKind> drawable =
                possible.stream().map(Strike::kind).distinct().toList();
        FaultKind kind = drawable.get(random.nextInt(drawable.size()));
        List<Strike> ofKind =
                possible.stream().filter(each -> each.kind() == kind).toList();
        Place place = ofKind.get(random.nextInt(ofKind.size())).place();
        int rank = oneOf(place == Place.STEP ? active : free);
        return new Strike(strikes++, kind, place, rank, Duration.ofMillis(place.isInRestart() ? 0 : delay));
    }

    private boolean isOf(int percent) {
        return random.nextInt(100) < percent;
    }
}
