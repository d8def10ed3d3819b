package dev.resiliency.examples.demo;

import java.time.Duration;

/** Shows people how a job fares. */
interface Display {

    /** Shows what is new; called often. */
    void update(Scoreboard board, Duration elapsed);
}
