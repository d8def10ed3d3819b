package dev.resiliency.launcher.status;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.rendezvous.InProcessRestart;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a person wants to know of a job first, in one line; the page has the same in JavaScript. */
final class Headline {
    /** Clocks of hosts differ. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private @Nullable Instant began;
    /** When somebody asked a node to leave, or the job for another size. */
    private @Nullable Instant asked;
    /** When a node has left, as it was asked. */
    private @Nullable Instant left;

    private @Nullable Interruption last;

    /** When the job was interrupted last, and how. */
    private record Interruption(Instant time, String what) {}

    /** Takes over what has happened. */
    void add(JobEvent event) {
        began = began == null ? event.time() : began;
        switch (event.kind()) {
            case DRAIN, SCALE -> {
                asked = event.time();
                left = null;
            }
            case NODE_LEFT -> left = event.time();
            default -> {}
        }
        String what = interruption(event);
        if (!what.isEmpty()) {
            last = new Interruption(event.time(), what);
        }
    }

    /** Returns what has interrupted the job; empty if nothing has. */
    private String interruption(JobEvent event) {
        return switch (event.kind()) {
            case IN_PROCESS_RESTART ->
                InProcessRestart.read(event.text())
                        .filter(InProcessRestart::isFault)
                        .filter(restart -> !restart.isEndOfProcesses() || !isAskedFor(event.time()))
                        .map(restart -> restart.cause().split(" \\(|;", 2)[0])
                        .orElse("");
            case RANK_ENDED, RANK_OVERDUE, NODE_LOST, CYCLE -> event.text().split(" after |: ", 2)[0];
            default -> "";
        };
    }

    /** Returns whether ranks that have ended at this time were asked to: the event of a restart may come after that of the node. */
    private boolean isAskedFor(Instant time) {
        return asked != null && !time.isBefore(asked.minus(SLACK)) && (left == null || !time.isAfter(left.plus(SLACK)));
    }

    /** Returns the line: {@code training with 3 of 4 ranks, step 19,105, last interruption 2m ago (EXCEPTION on rank 2), 4h since start}. */
    String line(JobStatus status, RankCounts counts, Instant now) {
        List<String> parts = new ArrayList<>();
        parts.add(ranks(counts, status.worldSize()));
        counts.step().ifPresent(step -> parts.add(String.format(Locale.ROOT, "step %,d", step)));
        if (last != null) {
            parts.add("last interruption %s ago (%s)".formatted(age(last.time(), now), last.what()));
        }
        if (began != null) {
            parts.add(age(began, now) + " since start");
        }
        return String.join(", ", parts);
    }

    private static String ranks(RankCounts counts, int worldSize) {
        int running = counts.of(RankCondition.RUNNING);
        if (running > 0) {
            return running > worldSize
                    ? "training with %d ranks".formatted(running)
                    : "training with %d of %d ranks".formatted(running, worldSize);
        }
        return counts.of(RankCondition.FAILED) > 0
                ? "no rank is training"
                : counts.of(RankCondition.COMPLETED) > 0 ? "completed" : "starting";
    }

    private static String age(Instant time, Instant now) {
        return Durations.format(
                Duration.ofSeconds(Math.max(0, Duration.between(time, now).toSeconds())));
    }
}
