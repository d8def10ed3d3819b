package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import java.time.Duration;

/** A wrapped job whose ranks leave at a safe point when they receive the signal that the argument names. */
final class LeavingProgram {
    private LeavingProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        Object result = Wrapper.builder()
                .softTimeout(Duration.ofSeconds(30))
                .warmUp(false)
                .leaveOn(arguments[0], Duration.ofSeconds(60))
                .build()
                .call(LeavingProgram::train);
        System.out.println(result == null ? "left" : "completed");
    }

    @SuppressWarnings("SystemOut")
    private static Object train(CallWrapper call) throws InterruptedException {
        System.out.println("trains");
        for (long step = 0; step < 100_000; step++) {
            call.step(step);
            Thread.sleep(10);
        }
        return "trained";
    }
}
