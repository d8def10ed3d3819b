package dev.resiliency.launcher;

import dev.resiliency.launcher.config.Durations;
import java.time.Duration;

/**
 * What a supervision decides by.
 *
 * @param grace how long the process may take to end after a signal
 * @param startupTime a process that fails within this time has failed at start-up
 * @param maxStartupFailures how many of these in a row end the supervision; 0 for no limit
 */
record SupervisorSettings(
        RestartBudget budget, Backoff backoff, Duration grace, Duration startupTime, int maxStartupFailures) {
    static final SupervisorSettings DEFAULT = new SupervisorSettings(
            RestartBudget.defaults(), Backoff.defaults(), Duration.ofSeconds(30), Duration.ofSeconds(10), 5);

    SupervisorSettings {
        Durations.checked("grace", grace);
        Durations.checked("startupTime", startupTime);
        if (maxStartupFailures < 0) {
            throw new IllegalArgumentException(
                    "maxStartupFailures is " + maxStartupFailures + ": it must not be negative");
        }
    }

    SupervisorSettings with(RestartBudget value) {
        return new SupervisorSettings(value, backoff, grace, startupTime, maxStartupFailures);
    }

    SupervisorSettings with(Backoff value) {
        return new SupervisorSettings(budget, value, grace, startupTime, maxStartupFailures);
    }

    SupervisorSettings withGrace(Duration value) {
        return new SupervisorSettings(budget, backoff, value, startupTime, maxStartupFailures);
    }

    SupervisorSettings withStartup(Duration time, int maxFailures) {
        return new SupervisorSettings(budget, backoff, grace, time, maxFailures);
    }
}
