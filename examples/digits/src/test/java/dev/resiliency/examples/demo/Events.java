package dev.resiliency.examples.demo;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.List;

/** Events of ranks, for tests. */
final class Events {
    private Events() {}

    /** A founder enters the function. */
    static DemoEvent.Entered entered(int rank, int iteration, long nanos) {
        return new DemoEvent.Entered(iteration, new DemoEvent.Place(rank, 0, false), nanos);
    }

    /** A process that came later enters the function. */
    static DemoEvent.Entered joined(int number, int iteration, long nanos) {
        return new DemoEvent.Entered(iteration, new DemoEvent.Place(number, 0, true), nanos);
    }

    /** A founder of a generation enters the function. */
    static DemoEvent.Entered founded(int rank, int generation, int iteration, long nanos) {
        return new DemoEvent.Entered(iteration, new DemoEvent.Place(rank, generation, false), nanos);
    }

    /** A founder is a reserve. */
    static DemoEvent.StandsBy standsBy(int rank, int iteration, long nanos) {
        return new DemoEvent.StandsBy(iteration, new DemoEvent.Place(rank, 0, false), nanos);
    }

    /** A rank has the state of a step, and no step is lost. */
    static DemoEvent.Recovered recovered(int step, Source source) {
        return new DemoEvent.Recovered(step, source, source == Source.PEERS ? List.of(0) : List.of(), 0);
    }
}
