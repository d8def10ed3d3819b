package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Draws a job whose ranks are processes of this program, and its faults, from the seed of the run and the number of the job. */
final class ChaosPlan extends Plan {
    private static final int LONGEST_PAUSE_MILLIS = 400;
    /** Long enough to hit each phase of a restart, and the time after it. */
    private static final int LONGEST_DELAY_MILLIS = 250;

    /** Long enough to hit the job while replacements of a first loss start, wait, and are taken in. */
    private static final int LONGEST_DELAY_OF_REPLACEMENT_MILLIS = 6000;

    private static final int LONGEST_COLLAPSE_MILLIS = 150;
    private static final int MOST_EXTRAS = 2;
    private static final int SHORTEST_OUTAGE_MILLIS = 100;

    final JobSettings.Own settings;

    ChaosPlan(long seed, int job, int ranks) {
        super(seed, job);
        int reserves = below(Math.max(1, ranks / 3) + 1);
        boolean patient = isOf(50);
        Duration lastCallWait = Duration.ofMillis(isOf(50) ? 10 : 0);
        settings = new JobSettings.Own(
                job, ranks, ranks - reserves, patient, lastCallWait, isHosted(seed, job), batches());
    }

    @Override
    Duration pause() {
        return millis(0, LONGEST_PAUSE_MILLIS);
    }

    /** Draws what happens next to a job with these processes; a collapse also hits those that are still on their way. */
    Batch draw(List<ProcessView> survivors) {
        List<ProcessView> live = survivors.stream()
                .filter(process -> process.isMember() || process.isWaiting())
                .toList();
        if (settings.hosted()) {
            return new Batch(batchWithStore(live), null);
        }
        if (isOf(6)) {
            boolean sparesWaiting = isOf(50);
            return new Batch(
                    collapse(survivors.stream()
                            .filter(process -> !sparesWaiting || process.isMember())
                            .toList()),
                    null);
        }
        boolean isOutageAlone = isOf(20);
        List<ChaosFault> batch = isOutageAlone ? List.of() : batch(live);
        List<Integer> reachable = live.stream()
                .map(process -> process.index)
                .filter(process ->
                        batch.stream().noneMatch(fault -> fault.place() == Place.NETWORK && fault.process() == process))
                .toList();
        boolean isCut = (isOutageAlone || isOf(25)) && !reachable.isEmpty();
        return new Batch(batch, isCut ? outage(reachable, longestOutage(batch)) : null);
    }

    /**
     * Draws one fault or several, each on another process. The first one hits a job that is at rest. There are fewer if
     * only deadly ones could be drawn.
     */
    List<ChaosFault> batch(List<ProcessView> live) {
        List<ProcessView> left = new ArrayList<>(live);
        List<ChaosFault> batch = new ArrayList<>();
        int count = Math.min(live.size() - 1, isOf(55) ? 1 : 2 + below(3));
        boolean atOnce = isOf(30);
        int longest = isOf(30) ? LONGEST_DELAY_OF_REPLACEMENT_MILLIS : LONGEST_DELAY_MILLIS;
        int spared = live.size() - 1;
        for (int i = 0; i < count; i++) {
            boolean isDeadly = isOf(30);
            int delay = i == 0 || atOnce ? 0 : below(longest);
            List<ChaosFault> possible = possible(batch.isEmpty(), spared > 0, left);
            if (possible.isEmpty()) {
                return batch;
            }
            List<ChaosFault> wanted = possible.stream()
                    .filter(fault -> fault.isDeadly() == isDeadly)
                    .toList();
            ChaosFault fault = draw(wanted.isEmpty() ? possible : wanted, left, delay);
            spared -= fault.isDeadly() ? 1 : 0;
            batch.add(fault);
            left.removeIf(process -> process.index == fault.process());
        }
        return batch;
    }

    /** Draws faults that a job survives whose store may be lost with any rank: more than half of the members can vote. */
    List<ChaosFault> batchWithStore(List<ProcessView> live) {
        long members = live.stream().filter(ProcessView::isMember).count();
        while (true) {
            List<ChaosFault> batch = batch(live);
            if (2 * batch.stream().filter(ChaosFault::isDeadly).count() < members
                    && batch.stream().noneMatch(fault -> fault.place() == Place.NETWORK)) {
                return batch;
            }
        }
    }

    /** Returns which of these processes can be hit at a place. */
    private static List<ProcessView> at(Place place, List<ProcessView> left) {
        return left.stream()
                .filter(process -> place == Place.STEP ? process.isActive() : place.isOutside() || process.isMember())
                .toList();
    }

    /** Draws one of these: of a job whose store may be lost, often the oldest member, which mostly hosts it. */
    private int process(List<ProcessView> possible) {
        ProcessView oldest = possible.stream()
                .filter(ProcessView::isMember)
                .min(Comparator.comparing(ProcessView::number))
                .orElse(null);
        return (settings.hosted() && oldest != null && isOf(30) ? oldest : oneOf(possible)).index;
    }

    /** Kills all of these. */
    private List<ChaosFault> collapse(List<ProcessView> processes) {
        int longest = isOf(50) ? 1 : LONGEST_COLLAPSE_MILLIS;
        return processes.stream()
                .map(process -> new ChaosFault(
                        nextFault(), FaultKind.SIGKILL, Place.OUTSIDE, process.index, millis(0, longest)))
                .toList();
    }

    /** Draws how long it takes until a process whose host is lost is started elsewhere. */
    Duration untilStartedElsewhere() {
        return millis(0, LONGEST_DELAY_OF_REPLACEMENT_MILLIS);
    }

    /** Returns each kind at each place, without a process. */
    private static List<ChaosFault> possible(boolean isFirst, boolean mayBeDeadly, List<ProcessView> left) {
        return Stream.of(Place.values())
                .filter(place ->
                        !(isFirst && place.isInRestart()) && !at(place, left).isEmpty())
                .flatMap(place -> Stream.of(FaultKind.values())
                        .filter(place::allows)
                        .map(kind -> new ChaosFault(-1, kind, place, 0, Duration.ZERO)))
                .filter(fault -> mayBeDeadly || !fault.isDeadly())
                .toList();
    }

    /** Draws the kind first, so that kinds with a single place are as frequent as others. */
    private ChaosFault draw(List<ChaosFault> possible, List<ProcessView> left, int delay) {
        FaultKind kind =
                oneOf(possible.stream().map(ChaosFault::kind).distinct().toList());
        List<ChaosFault> ofKind =
                possible.stream().filter(each -> each.kind() == kind).toList();
        Place place = oneOf(ofKind).place();
        int process = process(at(place, left));
        return new ChaosFault(nextFault(), kind, place, process, Duration.ofMillis(place.isInRestart() ? 0 : delay));
    }

    /** Connections may back off, and are then silent for twice as long. */
    private static Duration longestOutage(List<ChaosFault> faults) {
        return faults.stream().anyMatch(fault -> fault.kind().isNoticedByTimeout())
                ? ChaosLimits.LONGEST_SILENCE_BESIDE_HANG.dividedBy(2)
                : ChaosLimits.LONGEST_OUTAGE;
    }

    /**
     * Draws an outage that is shorter than the timeout: often of one process, often of all but one, which is then on the host of
     * the leader.
     *
     * @param remote the processes that reach the store through a network; at least one
     * @param longest how long it lasts at most
     */
    Outage outage(List<Integer> remote, Duration longest) {
        int choice = below(100);
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
        Outage.Direction direction =
                isOf(60) ? Outage.Direction.BOTH : isOf(50) ? Outage.Direction.TO_STORE : Outage.Direction.FROM_STORE;
        Duration delay = Duration.ofMillis(isOf(50) ? 0 : below(LONGEST_DELAY_MILLIS));
        Duration length = Duration.ofMillis(
                SHORTEST_OUTAGE_MILLIS + below((int) longest.toMillis() - SHORTEST_OUTAGE_MILLIS + 1));
        return new Outage(cut.isEmpty() ? remote : cut, direction, delay, length, isOf(50));
    }

    /**
     * Draws whether a rank is started a second time during the next batch, where its process may join the job.
     *
     * @param extras how many such processes there are
     */
    boolean hasSecondProcess(long extras) {
        return isOf(12) && extras < MOST_EXTRAS;
    }
}
