package dev.resiliency.testing.it;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Elasticity.Admission;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.Store;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * The program of one rank in {@link SafePointIT}: a training whose ranks make each step together and keep their state
 * in memory. It prints the steps of each iteration, and is controlled by system properties:
 *
 * <ul>
 *   <li>{@code storePort}: the port of a standalone store server; without it, rank 0 hosts the store
 *   <li>{@code graceMillis}: of {@code leaveOn} SIGTERM
 *   <li>{@code safePoints}: whether the function calls any
 *   <li>{@code largest}, {@code smallest}: the training ends 20 steps after the world has had the largest and then the
 *       smallest size
 * </ul>
 */
final class SafePointProgram {
    private static final int LAST_STEPS = 20;

    /** What a rank keeps in memory between two calls of its function. */
    private static int step;

    private static int largestWorld;

    private SafePointProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        Wrapper.Builder builder = Wrapper.builder()
                .softTimeout(Duration.ofSeconds(20))
                .hardTimeout(Duration.ofSeconds(30))
                .terminationGraceTime(Duration.ofSeconds(20))
                .elasticity(Elasticity.defaults().maxRanks(8).admission(Admission.atSafePoint(Duration.ofSeconds(60))))
                .leaveOn("TERM", Duration.ofMillis(Integer.getInteger("graceMillis", 60_000)));
        Integer storePort = Integer.getInteger("storePort");
        if (storePort != null) {
            builder.store(StoreFactory.external("127.0.0.1", storePort, Duration.ofMinutes(2)));
        }
        System.out.println("RESULT " + builder.build().call(SafePointProgram::train));
    }

    @SuppressWarnings("SystemOut")
    private static int train(CallWrapper call) throws Exception {
        State state = call.state();
        int size = state.activeWorldSize();
        largestWorld = Math.max(largestWorld, size);
        if (state.entry() == State.Entry.JOINED) {
            step = Integer.parseInt(call.store().get("start").text());
        } else {
            call.store().set("start", Integer.toString(step));
        }
        boolean isLast = largestWorld == Integer.getInteger("largest", 1) && size == Integer.getInteger("smallest", 1);
        int first = step;
        System.out.println("ENTERED %d of %d".formatted(state.activeRank(), size));
        try {
            while (!isLast || step < first + LAST_STEPS) {
                if (Boolean.getBoolean("safePoints")) {
                    call.step(step);
                } else {
                    call.ping();
                }
                together(call.store(), state, step);
                step++;
                Thread.sleep(5);
            }
        } finally {
            System.out.println("STEPS %d to %d of %d".formatted(first, step, size));
        }
        return step;
    }

    /** Waits until all active ranks are at this step, as a collective does. */
    private static void together(Store store, State state, int at) throws Exception {
        store.set(at + "/" + state.activeRank(), "");
        store.multiGet(IntStream.range(0, state.activeWorldSize())
                .mapToObj(rank -> at + "/" + rank)
                .toList());
    }
}
