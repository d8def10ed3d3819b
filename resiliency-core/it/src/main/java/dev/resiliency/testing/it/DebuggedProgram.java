package dev.resiliency.testing.it;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;
import java.io.IOException;
import java.time.Duration;

/** A job of one rank whose function waits for a line of input, for longer than its hard timeout if need be. */
final class DebuggedProgram {
    static final Duration HARD_TIMEOUT = Duration.ofMillis(800);

    private DebuggedProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws InterruptedException {
        Integer result = Wrapper.builder()
                .environment(Environment.single())
                .progressWatchdogInterval(Duration.ofMillis(50))
                .monitorProcessInterval(Duration.ofMillis(50))
                .softTimeout(HARD_TIMEOUT.dividedBy(2))
                .hardTimeout(HARD_TIMEOUT)
                .terminationGraceTime(Duration.ofMillis(100))
                .monitorProcessPidFile(System.getProperty("pidFile"))
                .build()
                .call(call -> {
                    System.out.println("ENTERED iteration " + call.iteration());
                    return read() == '\n' ? call.iteration() : -1;
                });
        System.out.println("RESULT " + result);
    }

    private static int read() throws IOException {
        return System.in.read();
    }
}
