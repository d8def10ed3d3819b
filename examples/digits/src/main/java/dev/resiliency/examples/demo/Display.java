package dev.resiliency.examples.demo;

import java.time.Duration;

/** Shows the state of a job to people. */
interface Display {

    /** Shows what has changed; called often. */
    void update(Scoreboard board, Duration elapsed);
}
