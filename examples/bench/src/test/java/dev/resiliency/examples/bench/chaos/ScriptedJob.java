package dev.resiliency.examples.bench.chaos;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A job of three ranks, all active, whose events a test provides. */
final class ScriptedJob {
    static final int RANKS = 3;

    final JobSettings.Own settings;
    final Board board;
    private final Map<Integer, Integer> numbers = new HashMap<>(); // by process
    private int faults;

    ScriptedJob(boolean patient) {
        this(patient, false);
    }

    ScriptedJob(boolean patient, boolean hosted) {
        settings = new JobSettings.Own(1, RANKS, RANKS, patient, Duration.ZERO, hosted, 1);
        board = new Board(RANKS, RANKS, new Timeline(0));
        for (int rank = 0; rank < RANKS; rank++) {
            board.launched(rank, true);
        }
    }

    void apply(int process, ChaosEvent event) {
        board.apply(board.process(process), event);
    }

    void ended(int process, int exitCode) {
        board.ended(board.process(process), exitCode);
    }

    /** Makes the processes start an iteration, in this order, and enter their function. */
    void start(int iteration, int... processes) {
        enters(iteration, 0, processes);
    }

    /** Makes them do so at this time. */
    void enters(int iteration, long nanos, int... processes) {
        for (int i = 0; i < processes.length; i++) {
            starts(processes[i], iteration, i, processes.length);
            apply(processes[i], new ChaosEvent.Entered(iteration, nanos));
        }
    }

    void starts(int process, int iteration, int rank, int worldSize) {
        ChaosEvent.Started before = board.process(process).latest();
        State.Entry entry =
                before != null ? State.Entry.SURVIVED : iteration % 100 == 0 ? State.Entry.FOUNDED : State.Entry.JOINED;
        int generation = iteration / 100;
        int number = numbers.getOrDefault(process, board.process(process).rank);
        State state = new State(number, RANKS, rank, worldSize, State.Mode.ACTIVE, rank, worldSize, iteration)
                .withOrigin(entry, generation, iteration - 98 * generation);
        apply(process, new ChaosEvent.Started(state, 0));
    }

    /** Launches another process of a rank, which the job will name by this number if it joins. */
    int launch(int rank, int number) {
        ProcessView process = board.launched(rank, true);
        numbers.put(process.index, number);
        return process.index;
    }

    /** Makes a process wait to be admitted, since this time. */
    void waits(int process, long since) {
        apply(process, new ChaosEvent.Prepared(since));
    }

    /** Orders a fault, which happens in this iteration. */
    ChaosFault inject(FaultKind kind, Place place, int process, int iteration) {
        ChaosFault fault = new ChaosFault(faults++, kind, place, process, Duration.ZERO);
        board.ordered(fault);
        apply(process, new ChaosEvent.Struck(fault.id(), iteration, 0));
        return fault;
    }

    /** Kills a process in this iteration; -1 if it is in none. */
    ChaosFault kill(int process, int iteration) {
        ChaosFault fault = inject(FaultKind.SIGKILL, Place.OUTSIDE, process, iteration);
        ended(process, 137);
        return fault;
    }

    /** Makes these processes restart after the iteration, with the same reasons. */
    void restarted(int iteration, List<ChaosEvent.Reason> reasons, int... processes) {
        restarted(iteration, reasons, List.of(), processes);
    }

    /** Makes these processes restart after the iteration, and report that these numbers joined. */
    void restarted(int iteration, List<ChaosEvent.Reason> reasons, List<Integer> joined, int... processes) {
        for (int process : processes) {
            apply(process, new ChaosEvent.Restarted(iteration, reasons, joined, System.nanoTime(), 0, 0));
        }
    }

    static ChaosEvent.Reason reason(int number, Interruption.Kind kind) {
        return new ChaosEvent.Reason(number, kind, "message");
    }
}
