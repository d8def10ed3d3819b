package dev.resiliency.testing;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fault to inject. It happens once, even if its step is repeated after a restart.
 *
 * @param kind the kind of the fault
 * @param rank the initial rank that it hits
 * @param moment when it happens
 * @since 0.1.0
 */
public record Fault(FaultKind kind, int rank, Moment moment) {
    private static final Pattern SYNTAX =
            Pattern.compile("([^:@]+):(\\d{1,9})@(?:(\\d{1,9})|(\\d{1,6}(?:\\.\\d{1,9})?)s)");

    /** Checks that the rank is not negative. */
    public Fault {
        if (rank < 0) {
            throw new IllegalArgumentException("the rank is " + rank + ": it must not be negative");
        }
    }

    /** The time at which a fault happens. */
    public sealed interface Moment {}

    /** At the beginning of a step, as the function counts them. */
    public record AtStep(long step) implements Moment {
        /** For people, and for {@link Fault#parse}. */
        @Override
        public String toString() {
            return Long.toString(step);
        }
    }

    /** At the beginning of the first step after this much time since the creation of the {@link FaultInjector}. */
    public record After(Duration delay) implements Moment {
        /** Checks that the delay is not negative. */
        public After {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("the delay is " + delay + ": it must not be negative");
            }
        }

        /** For people, and for {@link Fault#parse}. */
        @Override
        public String toString() {
            return BigDecimal.valueOf(delay.toNanos(), 9).stripTrailingZeros().toPlainString() + "s";
        }
    }

    /** Returns a fault at a step. */
    public static Fault atStep(FaultKind kind, int rank, long step) {
        return new Fault(kind, rank, new AtStep(step));
    }

    /** Returns a fault after a delay. */
    public static Fault after(FaultKind kind, int rank, Duration delay) {
        return new Fault(kind, rank, new After(delay));
    }

    /**
     * Parses {@code KIND:RANK@STEP} or {@code KIND:RANK@SECONDSs}, such as {@code kill:1@600} or {@code
     * stop-ping:2@1.5s}.
     *
     * @throws IllegalArgumentException if the text is anything else; the message is suitable for users
     */
    public static Fault parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text
                    + "' is not KIND:RANK@STEP, such as kill:1@600, or KIND:RANK@SECONDSs, such as kill:1@2.5s");
        }
        String step = matcher.group(3);
        return new Fault(
                FaultKind.parse(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                step == null ? new After(seconds(matcher.group(4))) : new AtStep(Long.parseLong(step)));
    }

    private static Duration seconds(String text) {
        return Duration.ofNanos(new BigDecimal(text).movePointRight(9).longValueExact());
    }

    /** Returns the text that {@link #parse} accepts. */
    @Override
    public String toString() {
        return kind + ":" + rank + "@" + moment;
    }
}
