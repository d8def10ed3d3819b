package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The program of the processes in {@link FailureTableIT}. It is a rank in a sequence of jobs, one for each {@link Cell}
 * that it reads as a line of standard input. It prints what happens to standard output, and {@code END} after each job.
 */
final class CellProgram {
    private CellProgram() {}

    /** One cell of the failure table, as one rank sees it. */
    record Cell(int rank, int worldSize, int port, Fault fault, int softMillis, int hardMillis, int leaseMillis) {
        static Cell parse(String line) {
            String[] fields = line.split(" ", -1);
            return new Cell(
                    Integer.parseInt(fields[0]),
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(fields[2]),
                    Fault.parse(fields[3]),
                    Integer.parseInt(fields[4]),
                    Integer.parseInt(fields[5]),
                    Integer.parseInt(fields[6]));
        }

        String toLine() {
            return "%d %d %d %s %d %d %d".formatted(rank, worldSize, port, fault, softMillis, hardMillis, leaseMillis);
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader cells = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = cells.readLine(); line != null; line = cells.readLine()) {
            run(Cell.parse(line));
            say("END");
        }
    }

    private static void run(Cell cell) throws IOException, InterruptedException {
        Leftovers leftovers = Leftovers.before();
        FaultInjector injector = new FaultInjector(List.of(cell.fault()));
        RestartListener listener = new RestartListener() {
            @Override
            public void restarted(RestartReport report) {
                report.interruptions()
                        .forEach(interruption -> say("CAUSE " + interruption.kind() + " on " + interruption.rank()));
            }
        };
        try {
            Integer result = Wrapper.builder()
                    .environment(new Environment(cell.rank(), cell.worldSize(), cell.rank(), "127.0.0.1", cell.port()))
                    .store(StoreFactory.external("127.0.0.1", cell.port(), Duration.ofSeconds(30)))
                    .progressWatchdogInterval(Duration.ofMillis(50))
                    .monitorProcessInterval(Duration.ofMillis(50))
                    .heartbeatInterval(Duration.ofMillis(100))
                    .softTimeout(Duration.ofMillis(cell.softMillis()))
                    .hardTimeout(Duration.ofMillis(cell.hardMillis()))
                    .heartbeatTimeout(Duration.ofMillis(cell.leaseMillis()))
                    .terminationGraceTime(Duration.ofSeconds(10))
                    .asyncStopDelay(Duration.ofMillis(200))
                    .barrierTimeout(Duration.ofSeconds(60))
                    .listener(listener)
                    .build()
                    .call(call -> train(call, cell, injector));
            say("RESULT " + result);
        } catch (Throwable thrown) {
            say("THROWN " + thrown.getClass().getName());
        }
        say("LEFT " + leftovers.now());
    }

    /** Trains until the fault has restarted the job. */
    private static int train(CallWrapper call, Cell cell, FaultInjector injector) throws Exception {
        say("ENTERED %d of %d, iteration %d"
                .formatted(call.state().activeRank(), call.state().activeWorldSize(), call.iteration()));
        if (call.iteration() > 0) {
            return call.state().activeRank();
        }
        // The fault happens once all ranks are running: one that is not would print nothing about iteration 0.
        call.store().set("in/" + cell.rank(), "");
        call.store()
                .multiGet(IntStream.range(0, cell.worldSize())
                        .mapToObj(rank -> "in/" + rank)
                        .toList());
        for (long step = 1; ; step++) {
            call.ping();
            injector.stepStarts(call, step);
            Thread.sleep(1);
        }
    }

    @SuppressWarnings("SystemOut") // read by the test
    private static void say(String line) {
        System.out.println(line);
    }
}
