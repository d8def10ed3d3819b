package dev.resiliency.examples.spark;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Runs a training, and kills the executor of its second rank when that has completed a round. */
record Measured(String name, Rounds journal) {
    private static final int VICTIM = 1;
    private static final long POLL_MILLIS = 5;

    /** A process that was killed, in a call of the function and at a time. */
    private record Kill(long call, long millis) {}

    /**
     * Runs it.
     *
     * @param killAfter the round after which the executor is killed; 0 for never
     */
    Outcome run(Callable<?> training, int killAfter) throws IOException, InterruptedException, ExecutionException {
        FutureTask<Object> task = new FutureTask<>(training::call);
        long begin = System.currentTimeMillis();
        new Thread(task, "stage").start();
        Optional<Kill> kill = Optional.empty();
        while (!task.isDone()) {
            if (kill.isEmpty() && killAfter > 0) {
                kill = kill(killAfter);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        task.get();
        long end = System.currentTimeMillis();
        List<Rounds.Line> lines = journal.read();
        List<Rounds.Line> first =
                lines.stream().filter(line -> line.rank() == 0).toList();
        long distinct = first.stream().map(Rounds.Line::round).distinct().count();
        long processes = lines.stream().map(Rounds.Line::process).distinct().count();
        return new Outcome(
                name,
                (end - begin) / 1e3,
                kill.map(fault -> secondsToTraining(fault, first)).orElse(0.0),
                kill.map(fault -> (end - fault.millis()) / 1e3).orElse(0.0),
                (int) (first.size() - distinct),
                (int) processes);
    }

    private static double secondsToTraining(Kill kill, List<Rounds.Line> lines) {
        return lines.stream()
                .filter(line -> line.millis() >= kill.millis() && line.call() != kill.call())
                .mapToDouble(line -> (line.millis() - kill.millis()) / 1e3)
                .findFirst()
                .orElse(0);
    }

    private Optional<Kill> kill(int round) throws IOException {
        return journal.read().stream()
                .filter(line -> line.rank() == VICTIM && line.round() == round)
                .findFirst()
                .flatMap(line -> ProcessHandle.of(line.process()).map(victim -> {
                    long now = System.currentTimeMillis();
                    victim.destroyForcibly();
                    return new Kill(line.call(), now);
                }));
    }
}
