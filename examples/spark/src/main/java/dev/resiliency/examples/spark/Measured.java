package dev.resiliency.examples.spark;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Runs a training, and kills the executor of its second rank when that has completed a round. */
record Measured(String name, Rounds journal) {
    private static final int VICTIM = 1;
    private static final long POLL_MILLIS = 5;

    /**
     * Runs it.
     *
     * @param killAfter the round after which the executor is killed; 0 for never
     */
    Outcome run(Callable<?> training, int killAfter) throws IOException, InterruptedException, ExecutionException {
        FutureTask<Object> task = new FutureTask<>(training::call);
        long begin = System.nanoTime();
        new Thread(task, "stage").start();
        long killed = 0;
        while (!task.isDone()) {
            if (killed == 0 && killAfter > 0 && kill(killAfter)) {
                killed = System.nanoTime();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        task.get();
        long end = System.nanoTime();
        List<Rounds.Line> lines = journal.read();
        long first = lines.stream().filter(line -> line.rank() == 0).count();
        long distinct = lines.stream()
                .filter(line -> line.rank() == 0)
                .map(Rounds.Line::round)
                .distinct()
                .count();
        long processes = lines.stream().map(Rounds.Line::process).distinct().count();
        return new Outcome(
                name, (end - begin) / 1e9, killed == 0 ? 0 : (end - killed) / 1e9, (int) (first - distinct), (int)
                        processes);
    }

    private boolean kill(int round) throws IOException {
        return journal.read().stream()
                .filter(line -> line.rank() == VICTIM && line.round() == round)
                .findFirst()
                .flatMap(line -> ProcessHandle.of(line.process()))
                .map(ProcessHandle::destroyForcibly)
                .orElse(false);
    }
}
