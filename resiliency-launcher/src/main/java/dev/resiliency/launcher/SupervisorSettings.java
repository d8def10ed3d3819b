package dev.resiliency.launcher;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.process.Verdict;
import java.time.Duration;
import java.util.Set;

/**
 * What a supervision decides by.
 *
 * @param grace how long the process may take to end after a signal
 * @param startupTime a process that fails within this time has failed at start-up
 * @param maxStartupFailures how many of these in a row end the supervision; 0 for no limit
 * @param cleanExitCodes after which the process is not started again
 */
record SupervisorSettings(
        RestartBudget budget,
        Backoff backoff,
        Duration grace,
        Duration startupTime,
        int maxStartupFailures,
        Set<Integer> cleanExitCodes) {
    static final SupervisorSettings DEFAULT = new SupervisorSettings(
            RestartBudget.defaults(),
            Backoff.defaults(),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            5,
            Verdict.CLEAN_EXIT_CODES);

    private static final int HIGHEST_EXIT_CODE = 255;

    SupervisorSettings {
        Durations.checked("grace", grace);
        Durations.checked("startupTime", startupTime);
        if (maxStartupFailures < 0) {
            throw new IllegalArgumentException(
                    "maxStartupFailures is " + maxStartupFailures + ": it must not be negative");
        }
        for (int code : cleanExitCodes) {
            if (code < 0 || code > HIGHEST_EXIT_CODE) {
                throw new IllegalArgumentException(
                        "cleanExitCodes contains %d: exit codes are from 0 to 255".formatted(code));
            }
        }
        cleanExitCodes = Set.copyOf(cleanExitCodes);
    }

    SupervisorSettings with(RestartBudget value) {
        return new SupervisorSettings(value, backoff, grace, startupTime, maxStartupFailures, cleanExitCodes);
    }

    SupervisorSettings with(Backoff value) {
        return new SupervisorSettings(budget, value, grace, startupTime, maxStartupFailures, cleanExitCodes);
    }

    SupervisorSettings withGrace(Duration value) {
        return new SupervisorSettings(budget, backoff, value, startupTime, maxStartupFailures, cleanExitCodes);
    }

    SupervisorSettings withStartup(Duration time, int maxFailures) {
        return new SupervisorSettings(budget, backoff, grace, time, maxFailures, cleanExitCodes);
    }

    SupervisorSettings withCleanExitCodes(Set<Integer> value) {
        return new SupervisorSettings(budget, backoff, grace, startupTime, maxStartupFailures, value);
    }
}
