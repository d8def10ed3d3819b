package dev.resiliency.launcher;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The restarts that count towards a {@link RestartBudget}. Confined to one thread. */
final class SpentRestarts {
    private final RestartBudget budget;
    /** When they were granted, oldest first, on the clock of {@link System#nanoTime}. */
    private final Deque<Long> granted = new ArrayDeque<>();

    SpentRestarts(RestartBudget budget) {
        this.budget = budget;
    }

    /**
     * Grants a restart, if one is left.
     *
     * @return how many are granted with this one; 0 if none is left
     */
    int grant(long now) {
        Duration window = budget.window();
        while (window != null && !granted.isEmpty() && now - granted.peekFirst() >= window.toNanos()) {
            granted.removeFirst();
        }
        if (granted.size() >= budget.maxRestarts()) {
            return 0;
        }
        granted.addLast(now);
        return granted.size();
    }
}
