package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Orders to a rank on its standard input, one per line. Safe for use by many threads. */
final class Orders {
    /** Until it is ordered, the function does not return. */
    private static final int NEVER = Integer.MAX_VALUE;

    /** A fault to inject as soon as the rank reaches its place. */
    record Due(int id, FaultKind kind, Place place) {}

    private final ConcurrentLinkedQueue<Due> due = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile int finish = NEVER;
    /** The step before which the function returns. */
    private volatile int finalStep = NEVER;

    static String inject(ChaosFault fault) {
        return "fault %d %s %s"
                .formatted(fault.id(), fault.kind().name(), fault.place().name());
    }

    /** Orders the function to return at once in this iteration and all later ones. */
    static String finish(int order, int iteration) {
        return "finish %d %d".formatted(order, iteration);
    }

    /** Orders the function to return before this step. All ranks must receive the order before any of them reaches the step. */
    static String finishBefore(int order, int step) {
        return "finish-before %d %d".formatted(order, step);
    }

    /** Orders the process to exit. */
    static String close() {
        return "close 0";
    }

    /** Accepts a line; returns the number of the order. */
    int take(String line) {
        List<String> words = List.of(line.split(" ", -1));
        int number = Integer.parseInt(words.get(1));
        switch (words.get(0)) {
            case "fault" -> due.add(new Due(number, FaultKind.valueOf(words.get(2)), Place.valueOf(words.get(3))));
            case "finish" -> finish = Integer.parseInt(words.get(2));
            case "finish-before" -> finalStep = Integer.parseInt(words.get(2));
            case "close" -> closed.countDown();
            default -> throw new IllegalArgumentException("not an order: " + line);
        }
        return number;
    }

    /** Returns the fault to inject here, once; null if there is none. */
    @Nullable
    Due takeDue(Place place) {
        for (Due each : due) {
            if (each.place() == place && due.remove(each)) {
                return each;
            }
        }
        return null;
    }

    boolean isFinished(int iteration) {
        return iteration >= finish;
    }

    boolean isFinishedAfter(int step) {
        return step >= finalStep;
    }

    void awaitClose() throws InterruptedException {
        closed.await();
    }
}
