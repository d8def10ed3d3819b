package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.Wrapper;
import java.nio.file.Path;
import java.time.Duration;

/** A wrapped job in which the first process of rank 1 exits with 0 once it trains; completes when the file appears. */
final class ExitingProgram {
    private ExitingProgram() {}

    public static void main(String[] arguments) throws Exception {
        boolean exits = "1".equals(System.getenv("RANK")) && "0".equals(System.getenv("TORCHELASTIC_RESTART_COUNT"));
        Wrapper.builder()
                .softTimeout(Duration.ofSeconds(30))
                .warmUp(false)
                .build()
                .call(call -> {
                    if (exits) {
                        System.exit(0);
                    }
                    TrainingProgram.train(call, Path.of(arguments[0]));
                    return null;
                });
    }
}
