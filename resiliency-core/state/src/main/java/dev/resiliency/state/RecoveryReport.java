package dev.resiliency.state;

import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * How a rank has recovered its state in an iteration; prints as the line that it logs.
 *
 * @param step the step that the state is the result of
 * @param source where this rank has it from
 * @param ranks the initial ranks that sent it; empty unless the source is {@link Source#PEERS}
 * @param duration from the call of {@link LiveState#recover} until all ranks had the same state
 * @param bytes the size of what was received; 0 unless the source is {@link Source#PEERS}
 * @param stepsLost how many steps that a surviving process had completed must be repeated. Processes that are gone may
 *     have completed one more
 * @param phases where the time went
 * @param last the initial ranks that were still missing the last time that rank 0 looked who had not called {@link
 *     LiveState#recover}, which it does once a second; empty if it has not waited for that long
 * @since 0.1.0
 */
public record RecoveryReport(
        long step,
        Source source,
        IndexSet ranks,
        Duration duration,
        long bytes,
        long stepsLost,
        Phases phases,
        IndexSet last) {

    /** Where a rank has its state from. */
    public enum Source {
        /** This process still held it. */
        MEMORY,
        /** Other ranks held it. */
        PEERS,
        /** No rank held it. */
        CHECKPOINT
    }

    /**
     * The parts of the duration, one after the other.
     *
     * @param agree until all ranks had called {@link LiveState#recover}, and this one knew which state is to be had
     * @param connect until the first bytes from other ranks were here; 0 if none were needed
     * @param fill until the buffers held the state, from other ranks or from the checkpoint
     * @param confirm until the digests of all ranks had been compared
     */
    public record Phases(Duration agree, Duration connect, Duration fill, Duration confirm) {}

    /** Waits of this length are mentioned. */
    private static final Duration LONG = Duration.ofMillis(100);

    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Returns the line for the log, such as {@code recovered step 1,234 from memory in 2 ms; 0 steps lost}. */
    @Override
    public String toString() {
        StringJoiner details = new StringJoiner("; ", " (", ")").setEmptyValue("");
        if (source == Source.PEERS && bytes >= BYTES_PER_MEGABYTE) {
            details.add(size((double) bytes) + ", " + size(bytesPerSecond()) + "/s");
        }
        String wait = longestWait();
        if (!wait.isEmpty()) {
            details.add(wait);
        }
        return String.format(
                Locale.ROOT,
                "recovered step %,d from %s in %,d ms%s%s",
                step,
                switch (source) {
                    case MEMORY -> "memory";
                    case PEERS -> "ranks " + ranks;
                    case CHECKPOINT -> "the checkpoint";
                },
                duration.toMillis(),
                details,
                loss());
    }

    /** After the loss of all processes nobody knows what they had completed. */
    private String loss() {
        if (source != Source.CHECKPOINT || stepsLost > 0) {
            return String.format(Locale.ROOT, "; %,d steps lost", stepsLost);
        }
        return step == 0 ? "" : "; how many steps are repeated is unknown";
    }

    /** Returns the rate of the transfer, without the phases in which nothing was received. */
    private double bytesPerSecond() {
        return (double) bytes
                * NANOS_PER_SECOND
                / (double) Math.max(1, phases.fill().toNanos());
    }

    /** Returns the phase that took longer than all others, if that was a wait for other ranks. */
    private String longestWait() {
        Duration longest =
                Collections.max(List.of(phases.agree(), phases.connect(), phases.fill(), phases.confirm(), LONG));
        if (longest.equals(phases.agree())) {
            String who = last.isEmpty() ? "all" : (last.size() == 1 ? "rank " + last.lowest() : "ranks " + last);
            return "waited %s ms until %s had called recover".formatted(millis(longest), who);
        }
        if (longest.equals(phases.connect())) {
            return "waited %s ms for the first bytes".formatted(millis(longest));
        }
        return longest.equals(phases.confirm())
                ? "waited %s ms until all had confirmed it".formatted(millis(longest))
                : "";
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%,d", duration.toMillis());
    }

    private static String size(double amount) {
        double megabytes = amount / BYTES_PER_MEGABYTE;
        return megabytes < 1000
                ? String.format(Locale.ROOT, "%.0f MB", megabytes)
                : String.format(Locale.ROOT, "%.1f GB", megabytes / 1000);
    }
}
