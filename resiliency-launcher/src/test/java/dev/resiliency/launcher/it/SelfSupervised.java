package dev.resiliency.launcher.it;

import dev.resiliency.launcher.AutoRestart;
import dev.resiliency.launcher.Backoff;
import dev.resiliency.launcher.RestartBudget;
import dev.resiliency.launcher.Supervisor;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A program that supervises itself. It prints the arguments of each run and a system property; then it waits for a signal
 * if its first argument is {@code wait}, leaves at the signal behind {@code leave}, and otherwise exits with the code that this is.
 */
final class SelfSupervised {
    private SelfSupervised() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        AutoRestart.superviseThisProcess(
                arguments,
                Supervisor.builder()
                        .budget(RestartBudget.of(2))
                        .backoff(new Backoff(Duration.ZERO, Duration.ofSeconds(1)))
                        .runDirectory(Path.of(System.getProperty("java.io.tmpdir"), "run"))
                        .build());
        if (arguments[0].equals("leave")) {
            LeavingProgram.main(new String[] {arguments[1]});
            return;
        }
        System.out.println("RUN %s with %s in %s"
                .formatted(
                        String.join("|", arguments),
                        System.getProperty("greeting"),
                        Path.of("").toAbsolutePath()));
        if (arguments[0].equals("wait")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("saved")));
            System.out.println("ready");
            Thread.sleep(Duration.ofMinutes(10).toMillis());
        }
        System.exit(Integer.parseInt(arguments[0]));
    }
}
