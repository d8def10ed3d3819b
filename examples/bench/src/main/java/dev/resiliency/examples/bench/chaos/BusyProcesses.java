package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes that take all processors, several times as many as there are; they end by themselves if nobody ends them. */
final class BusyProcesses implements AutoCloseable {
    private static final int FOR_EACH_PROCESSOR = 6;

    private final List<Process> processes = new ArrayList<>();

    /** Starts them, for so long at most. */
    BusyProcesses(Duration limit) throws IOException {
        String seconds = Long.toString(limit.toSeconds() + 1);
        for (int i = 0; i < FOR_EACH_PROCESSOR * Runtime.getRuntime().availableProcessors(); i++) {
            processes.add(new ProcessBuilder("timeout", seconds, "sh", "-c", "while :; do :; done").start());
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroy); // timeout passes the signal on
    }
}
