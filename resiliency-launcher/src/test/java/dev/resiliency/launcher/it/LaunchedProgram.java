package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.Wrapper;
import java.nio.file.Path;
import java.time.Duration;

/** A wrapped job as a user writes it, who leaves the store to the launcher: see {@link TrainingProgram}. */
final class LaunchedProgram {
    private LaunchedProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        Wrapper.builder()
                .softTimeout(Duration.ofSeconds(30))
                .warmUp(false)
                .build()
                .call(call -> {
                    TrainingProgram.train(call, Path.of(arguments[0]));
                    return null;
                });
        System.out.println("completed");
    }
}
