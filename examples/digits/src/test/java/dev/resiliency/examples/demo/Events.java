package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Entered;
import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Recovered;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.state.RecoveryReport.Source;
import java.util.List;
import java.util.stream.Stream;

/** Boards and reports of ranks, for tests. */
final class Events {
    static final long MILLI = 1_000_000;

    private Events() {}

    /** A job of 100 steps with these faults. */
    static Board board(int ranks, int active, boolean replaced, String... faults) {
        List<TrainingFault> parsed = Stream.of(faults).map(TrainingFault::parse).toList();
        return new Board(new FaultPlan(ranks, 100, parsed, replaced), active);
    }

    static Report report(int rank, long millis, DemoEvent event) {
        return new Report(rank, millis * MILLI, event);
    }

    /** A founder enters the function. */
    static Report entered(int rank, int iteration, long millis) {
        return report(rank, millis, new Entered(iteration, true, rank, 0, false));
    }

    /** A process that came later enters the function. */
    static Report joined(int rank, int number, int iteration, long millis) {
        return report(rank, millis, new Entered(iteration, true, number, 0, true));
    }

    /** A founder of a generation enters the function. */
    static Report founded(int rank, int generation, int iteration, long millis) {
        return report(rank, millis, new Entered(iteration, true, rank, generation, false));
    }

    /** A founder is a reserve. */
    static Report standsBy(int rank, int iteration, long millis) {
        return report(rank, millis, new Entered(iteration, false, rank, 0, false));
    }

    /** A rank has the state of a step, and no step is lost. */
    static Report recovered(int rank, int step, Source source) {
        List<Integer> senders = source == Source.PEERS ? List.of(0) : List.of();
        return report(rank, 0, new Recovered(step, source, senders, 0));
    }

    static Report fault(int rank, String text, int step, long millis) {
        return report(rank, millis, new FaultDue(TrainingFault.parse(text), step));
    }

    /** A rank saw a restart of 8 ms. */
    static Report restarted(int rank, long millis, int iteration, int causeRank, Kind cause, Integer... joined) {
        Restart seen = new Restart(iteration, Restart.lowerCase(cause), causeRank, 8, null);
        return report(rank, millis, new Restarted(seen, List.of(joined)));
    }
}
