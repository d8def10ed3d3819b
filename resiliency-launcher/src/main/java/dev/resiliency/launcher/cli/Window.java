package dev.resiliency.launcher.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The window of a budget.
 *
 * @param length null if all restarts count for ever
 */
record Window(@Nullable Duration length) {
    static final Window FOREVER = new Window(null);
}
