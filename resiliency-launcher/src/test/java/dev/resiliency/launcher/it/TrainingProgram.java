package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A wrapped job at an external store: prints how it comes into each iteration, and completes when a file appears. */
final class TrainingProgram {
    private TrainingProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        Environment job = Environment.fromVariables();
        Wrapper.builder()
                .store(StoreFactory.external(job.masterAddress(), job.masterPort(), Duration.ofSeconds(30)))
                .softTimeout(Duration.ofSeconds(30))
                .warmUp(false)
                .build()
                .call(call -> {
                    train(call, Path.of(arguments[0]));
                    return null;
                });
        System.out.println("completed");
    }

    @SuppressWarnings("SystemOut")
    static void train(CallWrapper call, Path end) throws InterruptedException {
        State state = call.state();
        System.out.printf(
                "%s in a world of %d, generation %d, iteration %d%n",
                state.entry(), state.activeWorldSize(), state.generation(), state.iteration());
        while (!Files.exists(end)) {
            call.ping();
            Thread.sleep(5);
        }
    }
}
