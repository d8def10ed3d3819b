package dev.resiliency.examples.demo;

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
}
