package dev.resiliency.examples.bench.restart;

import static java.util.Objects.requireNonNull;

import dev.resiliency.examples.job.FreePort;
import dev.resiliency.examples.timeline.Part;
import dev.resiliency.examples.timeline.RankTimeline;
import dev.resiliency.examples.timeline.RestartTimeline;
import dev.resiliency.examples.timeline.Span;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A new job, one fault, its first restart: in production, most restarts are the first of their process. Confined to one
 * thread, except the queue that the ranks' output threads fill.
 */
final class RestartRun {
    /** Not rank 0: it hosts the store. */
    private static final int VICTIM = 1;

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration RESTART_LIMIT = Duration.ofSeconds(30);

    /** After its start a JVM is still busy compiling and warming up; faults are rare in the first seconds of a job. */
    private static final Duration SETTLING_LIMIT = Duration.ofMinutes(1);

    private static final Duration SETTLING_LOOK = Duration.ofSeconds(1);
    /** CPU time per second of all ranks together; their steps alone take less. */
    private static final Duration SETTLED = Duration.ofMillis(250);

    private record Received(int rank, Mark mark) {}

    private final int ranks;
    private final BenchFault fault;
    private final BenchProfile profile;
    private final BlockingQueue<Received> queue = new LinkedBlockingQueue<>();
    private final Map<Integer, Mark.EntryMark> entered = new HashMap<>();
    private final Map<Integer, Mark.RestartMark> restarted = new HashMap<>();
    private long faultedAt;

    RestartRun(int ranks, BenchFault fault, BenchProfile profile) {
        this.ranks = ranks;
        this.fault = fault;
        this.profile = profile;
    }

    /** Runs the job; its processes write their logs to this directory. */
    void run(Path directory, String heap) throws IOException, InterruptedException {
        List<MeasuredRank> started = new ArrayList<>();
        try {
            int port = FreePort.find();
            for (int rank = 0; rank < ranks; rank++) {
                MeasuredRank process = MeasuredRank.start(rank, ranks, port, fault, profile, directory, heap);
                started.add(process);
                int number = rank;
                process.follow(mark -> queue.add(new Received(number, mark)));
            }
            await("all ranks enter the function", START_LIMIT, () -> entered.size() == ranks);
            awaitSettled(started);
            entered.clear();
            inject(started.get(VICTIM));
            int survivors = fault.isSurvived() ? ranks : ranks - 1;
            await(
                    "all survivors enter it again",
                    profile.silence(fault).plus(RESTART_LIMIT),
                    () -> entered.size() == survivors && restarted.size() == survivors && faultedAt != 0);
            finish(started);
        } finally {
            started.forEach(MeasuredRank::close);
        }
    }

    private static void awaitSettled(List<MeasuredRank> started) throws InterruptedException {
        long deadline = System.nanoTime() + SETTLING_LIMIT.toNanos();
        Duration before = processorTime(started);
        while (System.nanoTime() < deadline) {
            Thread.sleep(SETTLING_LOOK.toMillis());
            Duration now = processorTime(started);
            if (now.minus(before).compareTo(SETTLED) < 0) {
                return;
            }
            before = now;
        }
        throw new IllegalStateException("the ranks are still busy after " + SETTLING_LIMIT + "; is the machine busy?");
    }

    private static Duration processorTime(List<MeasuredRank> ranks) {
        return ranks.stream().map(MeasuredRank::processorTime).reduce(Duration.ZERO, Duration::plus);
    }

    private void inject(MeasuredRank victim) throws IOException {
        if (fault == BenchFault.KILL) {
            faultedAt = victim.kill();
        } else {
            victim.tell(RestartRankCommand.FAIL);
        }
    }

    private void await(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            Received received = queue.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (received == null) {
                throw new IllegalStateException("not within %d s: %s; %d of %d ranks did"
                        .formatted(limit.toSeconds(), what, entered.size(), ranks));
            }
            if (received.mark() instanceof Mark.EntryMark entry) {
                entered.put(received.rank(), entry);
            } else if (received.mark() instanceof Mark.RestartMark report) {
                restarted.put(received.rank(), report);
            } else if (received.mark() instanceof Mark.FaultMark faulted) {
                faultedAt = faulted.nanos();
            }
        }
    }

    private void finish(List<MeasuredRank> started) throws IOException, InterruptedException {
        List<MeasuredRank> survivors = started.stream()
                .filter(rank -> fault.isSurvived() || rank.rank() != VICTIM)
                .toList();
        for (MeasuredRank rank : survivors) {
            rank.tell(RestartRankCommand.FINISH);
        }
        for (MeasuredRank rank : survivors) {
            int exitCode = rank.awaitExit();
            if (exitCode != 0) {
                throw new IllegalStateException("rank " + rank.rank() + " exited with code " + exitCode);
            }
        }
    }

    /** Returns the times. */
    RestartTimes measurement() {
        long last =
                entered.values().stream().mapToLong(Mark.EntryMark::nanos).max().orElseThrow();
        long knew = restarted.values().stream()
                .mapToLong(Mark.RestartMark::knownAt)
                .max()
                .orElseThrow();
        Map<String, Long> phases = new TreeMap<>();
        restarted
                .values()
                .forEach(report -> report.phases().forEach((phase, nanos) -> phases.merge(phase, nanos, Math::max)));
        long silence = profile.silence(fault).toNanos();
        return new RestartTimes(last - faultedAt, last - faultedAt - silence, knew - faultedAt - silence, phases);
    }

    /** Returns what each rank did, from the fault on, or from the end of the timeout before which it cannot be detected. */
    RestartTimeline timeline(String title) {
        List<RankTimeline> rows = new ArrayList<>();
        restarted.forEach((rank, report) -> rows.add(new RankTimeline(
                rank,
                rank == VICTIM ? List.of("failed") : List.of(),
                spans(report, requireNonNull(entered.get(rank)).nanos()))));
        List<String> notes = new ArrayList<>();
        Duration silence = profile.silence(fault);
        if (!silence.isZero()) {
            notes.add("Time starts %d ms after the fault, before which it cannot be detected."
                    .formatted(silence.toMillis()));
        }
        if (!fault.isSurvived()) {
            notes.add("Rank %d was lost, so it has no row.".formatted(VICTIM));
        }
        return RestartTimeline.of(0, title, notes, faultedAt + silence.toNanos(), rows);
    }

    private static List<Span> spans(Mark.RestartMark report, long enteredAt) {
        List<Span> spans = new ArrayList<>();
        long start = report.knownAt();
        for (Phase phase : Phase.values()) {
            Long nanos = report.phases().get(phase.name());
            if (nanos != null) {
                spans.add(new Span(Part.valueOf(phase.name()), start, start + nanos));
                start += nanos;
            }
        }
        spans.add(new Span(Part.RE_ENTRY, start, Math.max(start, enteredAt)));
        return spans;
    }
}
