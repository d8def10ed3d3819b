package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.monitor.spi.RankRestart;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A restart of wrapped ranks in their processes, as one of them saw it: the text of an event, which people read and the page takes apart.
 *
 * @param iteration that has begun with it
 * @param total from when the rank learned of the interruption until the iteration began
 * @param cause what the ranks log
 * @param phases in their order; the other ranks may have been slower in those before {@link Phase#BARRIER}
 * @param who the rank, as people call it
 */
public record InProcessRestart(int iteration, Duration total, String cause, Map<Phase, Duration> phases, String who) {
    private static final Pattern TEXT =
            Pattern.compile("restarted in ([\\d.]{1,12}) ms into iteration (\\d{1,9}) after (.*): (.*) ms on ([^:,]+)");

    private static final Pattern PHASE = Pattern.compile("([a-z ]+) ([\\d.]{1,12})");
    private static final double NANOS_PER_MILLI = 1e6;

    /** Copies the phases. */
    public InProcessRestart {
        Map<Phase, Duration> copy = new EnumMap<>(Phase.class);
        copy.putAll(phases);
        phases = Collections.unmodifiableMap(copy);
    }

    /** Returns what a rank has stamped. */
    public static InProcessRestart of(RankRestart stamped, String who) {
        return new InProcessRestart(stamped.iteration(), stamped.total(), stamped.cause(), stamped.phases(), who);
    }

    /** Returns the word for a phase, as the ranks log it. */
    public static String word(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns whether something has failed; otherwise the job has changed by intent. */
    public boolean isFault() {
        return kind().map(Interruption.Kind::isFault).orElse(true);
    }

    /** Returns whether only the end of processes is known, of which the ranks cannot say whether somebody has asked for it. */
    public boolean isEndOfProcesses() {
        return kind().filter(Interruption.Kind.TERMINATED::equals).isPresent();
    }

    private Optional<Interruption.Kind> kind() {
        String word = cause.split("[ ;]", 2)[0];
        return Stream.of(Interruption.Kind.values())
                .filter(each -> each.name().equals(word))
                .findFirst();
    }

    /** Returns the text of the event. */
    public String text() {
        StringJoiner times = new StringJoiner(", ");
        phases.forEach((phase, duration) -> times.add(word(phase) + " " + millis(duration)));
        return "restarted in %s ms into iteration %d after %s: %s ms on %s"
                .formatted(millis(total), iteration, cause, times, who);
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toNanos() / NANOS_PER_MILLI);
    }

    /** Reads what {@link #text} has written; empty if it is something else. */
    public static Optional<InProcessRestart> read(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        Map<Phase, Duration> phases = new EnumMap<>(Phase.class);
        try {
            for (String each : parts.group(4).split(", ", -1)) {
                Matcher phase = PHASE.matcher(each);
                if (phase.matches()) {
                    phases.put(
                            Phase.valueOf(
                                    phase.group(1).toUpperCase(Locale.ROOT).replace(' ', '_')),
                            duration(phase.group(2)));
                }
            }
            return Optional.of(new InProcessRestart(
                    Integer.parseInt(parts.group(2)),
                    duration(parts.group(1)),
                    parts.group(3),
                    phases,
                    parts.group(5)));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    private static Duration duration(String millis) {
        return Duration.ofNanos(Math.round(Double.parseDouble(millis) * NANOS_PER_MILLI));
    }
}
