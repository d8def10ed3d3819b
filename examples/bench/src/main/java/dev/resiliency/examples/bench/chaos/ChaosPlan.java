package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Draws a job whose ranks are processes of this program, and its faults, from the seed of the run and the number of the job. */
final class ChaosPlan {
    private static final int LONGEST_PAUSE_MILLIS = 400;
    /** Long enough to hit each phase of a restart, and the time after it. */
    private static final int LONGEST_DELAY_MILLIS = 250;

    /** Long enough to hit the job while replacements of a first loss start, wait, and are taken in. */
    private static final int LONGEST_DELAY_OF_REPLACEMENT_MILLIS = 6000;

    private static final int LONGEST_COLLAPSE_MILLIS = 150;
    private static final int MOST_EXTRAS = 2;
    private static final int SHORTEST_OUTAGE_MILLIS = 100;

    private final Draw draw;
    private int faults;

    ChaosPlan(long seed, int job) {
        draw = new Draw(seed, job);
    }

    JobSettings settings(int job, int ranks) {
        int reserves = draw.below(Math.max(1, ranks / 3) + 1);
        boolean patient = draw.isOf(50);
        Duration lastCallWait = Duration.ofMillis(draw.isOf(50) ? 10 : 0);
        return new JobSettings(job, ranks, ranks - reserves, patient, lastCallWait, draw.isOf(50));
    }

    /** Draws how long the job is left alone. */
    Duration pause() {
        return Duration.ofMillis(draw.below(LONGEST_PAUSE_MILLIS));
    }

    /** Draws a rank below this one. */
    int rank(int limit) {
        return draw.below(limit);
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
        int count = Math.min(targets.live().size() - 1, draw.isOf(55) ? 1 : 2 + draw.below(3));
        boolean atOnce = draw.isOf(30);
        int longest = draw.isOf(30) ? LONGEST_DELAY_OF_REPLACEMENT_MILLIS : LONGEST_DELAY_MILLIS;
        int spared = targets.live().size() - 1;
        for (int i = 0; i < count; i++) {
            boolean deadly = draw.isOf(30);
            int delay = i == 0 || atOnce ? 0 : draw.below(longest);
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

    /** Draws faults that a job survives whose store may be lost with any rank: more than half of the members can vote. */
    List<ChaosFault> batchWithStore(Targets targets) {
        long members = targets.live().stream().filter(targets.isMember()).count();
        while (true) {
            List<ChaosFault> batch = batch(targets);
            if (2 * batch.stream().filter(ChaosFault::isDeadly).count() < members
                    && batch.stream().noneMatch(fault -> fault.place() == Place.NETWORK)) {
                return batch;
            }
        }
    }

    private static Map<Place, List<Integer>> free(List<Integer> left, Targets targets) {
        Map<Place, List<Integer>> free = new EnumMap<>(Place.class);
        for (Place place : Place.values()) {
            Predicate<Integer> isHit = switch (place) {
                case STEP -> targets.isActive();
                default -> process -> place.isOutside() || targets.isMember().test(process);
            };
            free.put(place, left.stream().filter(isHit).toList());
        }
        return free;
    }

    /** Draws whether the next batch kills all members of the job. */
    boolean isCollapse() {
        return draw.isOf(6);
    }

    /** Draws whether a collapse spares those who wait. */
    boolean sparesWaiting() {
        return draw.isOf(50);
    }

    /** Draws the faults of a collapse. */
    List<ChaosFault> collapse(List<Integer> processes) {
        int longest = draw.isOf(50) ? 1 : LONGEST_COLLAPSE_MILLIS;
        return processes.stream()
                .map(process -> new ChaosFault(
                        faults++, FaultKind.SIGKILL, Place.OUTSIDE, process, Duration.ofMillis(draw.below(longest))))
                .toList();
    }

    /** Draws how long it takes until a process whose host is lost is started elsewhere. */
    Duration untilStartedElsewhere() {
        return Duration.ofMillis(draw.below(LONGEST_DELAY_OF_REPLACEMENT_MILLIS));
    }

    /** Returns each kind at each place, without a process. */
    private List<ChaosFault> possible(boolean first, boolean deadly, Map<Place, List<Integer>> free) {
        List<ChaosFault> possible = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
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
        FaultKind kind =
                draw.oneOf(possible.stream().map(ChaosFault::kind).distinct().toList());
        List<ChaosFault> ofKind =
                possible.stream().filter(each -> each.kind() == kind).toList();
        Place place = draw.oneOf(ofKind).place();
        int process = draw.oneOf(at(place, free));
        return new ChaosFault(faults++, kind, place, process, Duration.ofMillis(place.isInRestart() ? 0 : delay));
    }

    /** Draws whether the next batch consists of an outage alone, which must change nothing. */
    boolean isOutageAlone() {
        return draw.isOf(20);
    }

    /** Draws whether the network fails during the next batch as well. */
    boolean isOutageBeside() {
        return draw.isOf(25);
    }

    /**
     * Draws an outage that is shorter than the timeout: often of one process, often of all but one, which is then on the host of
     * the leader.
     *
     * @param remote the processes that reach the store through a network; at least one
     * @param longest how long it lasts at most
     */
    Outage outage(List<Integer> remote, Duration longest) {
        int choice = draw.below(100);
        List<Integer> cut;
        if (choice < 40) {
            cut = List.of(draw.oneOf(remote));
        } else if (choice < 65) {
            cut = remote.stream().filter(process -> draw.isOf(50)).toList();
        } else if (choice < 90) {
            cut = remote.subList(Math.min(1, remote.size() - 1), remote.size());
        } else {
            cut = remote;
        }
        Outage.Direction direction = draw.isOf(60)
                ? Outage.Direction.BOTH
                : draw.isOf(50) ? Outage.Direction.TO_STORE : Outage.Direction.FROM_STORE;
        Duration delay = Duration.ofMillis(draw.isOf(50) ? 0 : draw.below(LONGEST_DELAY_MILLIS));
        Duration length = Duration.ofMillis(
                SHORTEST_OUTAGE_MILLIS + draw.below((int) longest.toMillis() - SHORTEST_OUTAGE_MILLIS + 1));
        return new Outage(cut.isEmpty() ? remote : cut, direction, delay, length, draw.isOf(50));
    }

    /**
     * Draws whether a rank is started a second time during the next batch, where its process may join the job.
     *
     * @param extras how many such processes there are
     */
    boolean hasSecondProcess(int extras) {
        return draw.isOf(12) && extras < MOST_EXTRAS;
    }
}
