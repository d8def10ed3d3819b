package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Wrapper;
import java.nio.file.Path;
import java.time.Duration;

/** A wrapped job whose survivors wait for replacements: see {@link TrainingProgram}. */
final class PatientProgram {
    private PatientProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        Wrapper.builder()
                .softTimeout(Duration.ofSeconds(30))
                .warmUp(false)
                .elasticity(Elasticity.defaults().replacementWait(Duration.ofMinutes(2)))
                .build()
                .call(call -> {
                    TrainingProgram.train(call, Path.of(arguments[0]));
                    return null;
                });
        System.out.println("completed");
    }
}
