package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.Value;
import java.time.Duration;

/**
 * A leader's wait for joiners before it decides.
 *
 * @param atMost how long it waits; zero if it does not
 * @param reason for logs; empty if it does not wait
 */
public record LeaderWait(Duration atMost, String reason) {
    private static final LeaderWait NONE = new LeaderWait(Duration.ZERO, "");

    static Value write(Duration atMost, String reason) {
        return Value.of(atMost.toMillis() + " " + reason);
    }

    /** Reads the value; an empty one means that no leader waits. */
    static LeaderWait read(Value value) {
        if (value.size() == 0) {
            return NONE;
        }
        String[] fields = value.text().split(" ", 2);
        return new LeaderWait(Duration.ofMillis(Long.parseLong(fields[0])), fields[1]);
    }
}
