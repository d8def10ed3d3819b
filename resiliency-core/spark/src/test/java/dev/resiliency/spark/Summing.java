package dev.resiliency.spark;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import java.util.List;
import org.apache.spark.api.java.function.Function2;

/**
 * A training: in each step, all ranks exchange the sum of their rows. What it returns is the sum over all steps, which each of them
 * keeps in memory over restarts, and which those that join receive from the others.
 */
record Summing(Journal journal, int steps, long stepMillis, Mishap mishap)
        implements Function2<CallWrapper, List<Integer>, Long> {

    /** What goes wrong. */
    @FunctionalInterface
    interface Mishap extends java.io.Serializable {
        void before(State state, long step) throws Exception;
    }

    /** Returns one that takes its time for most steps until the journal has such a line. */
    static Summing until(Journal journal, String line) {
        return new Summing(journal, 350, 20, (state, step) -> {
            if (step >= 50 && journal.find(line).isEmpty()) {
                Thread.sleep(1_000);
            }
        });
    }

    private static final class Progress {
        private long steps;
        private long sum;
    }

    @Override
    public Long call(CallWrapper call, List<Integer> rows) throws Exception {
        State state = call.state();
        Progress progress = call.keep(Progress.class, Progress::new);
        journal.write("rank %d of %d begins iteration %d with %d rows in process %d as %s"
                .formatted(
                        state.activeRank(),
                        state.activeWorldSize(),
                        state.iteration(),
                        rows.size(),
                        ProcessHandle.current().pid(),
                        state.entry()));
        catchUp(call, progress);
        long own = rows.stream().mapToLong(Integer::longValue).sum();
        while (progress.steps < steps) {
            call.step(progress.steps);
            mishap.before(state, progress.steps);
            progress.sum += all(call, "step/" + progress.steps, String.valueOf(own)).stream()
                    .mapToLong(Long::parseLong)
                    .sum();
            progress.steps++;
            journal.write("rank %d has done step %d".formatted(state.initialRank(), progress.steps));
            Thread.sleep(stepMillis);
        }
        return progress.sum;
    }

    private static void catchUp(CallWrapper call, Progress progress) throws InterruptedException {
        for (String other : all(call, "progress", progress.steps + " " + progress.sum)) {
            String[] numbers = other.split(" ", -1);
            if (Long.parseLong(numbers[0]) > progress.steps) {
                progress.steps = Long.parseLong(numbers[0]);
                progress.sum = Long.parseLong(numbers[1]);
            }
        }
    }

    private static List<String> all(CallWrapper call, String key, String own) throws InterruptedException {
        State state = call.state();
        call.store().set(key + "/" + state.activeRank(), own);
        List<String> values = new java.util.ArrayList<>();
        for (int rank = 0; rank < state.activeWorldSize(); rank++) {
            values.add(call.store().get(key + "/" + rank).text());
        }
        return values;
    }
}
