package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A wrapped job, of which the first process of a rank is broken at a step. Completes when a file appears. */
final class FaultyProgram {
    private FaultyProgram() {}

    public static void main(String[] arguments) throws Exception {
        boolean isFirst = "0".equals(System.getenv("TORCHELASTIC_RESTART_COUNT"));
        FaultInjector injector = new FaultInjector(isFirst ? List.of(Fault.parse(arguments[0])) : List.of());
        Path end = Path.of(arguments[1]);
        Wrapper.builder()
                .progressWatchdogInterval(Duration.ofMillis(100))
                .monitorProcessInterval(Duration.ofMillis(100))
                .softTimeout(Duration.ofSeconds(4))
                .hardTimeout(Duration.ofSeconds(8))
                .asyncStopDelay(Duration.ofSeconds(1))
                .heartbeatTimeout(Duration.ofSeconds(10))
                .warmUp(false)
                .build()
                .call(call -> {
                    for (int step = 0; !Files.exists(end); step++) {
                        call.ping();
                        injector.stepStarts(call, step);
                        Thread.sleep(5);
                    }
                    return null;
                });
    }
}
