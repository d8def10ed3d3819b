package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.ProcessWatch;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/**
 * Runs one job to its end, whose ranks break themselves, starts them again if they are to be replaced, shows and judges the job, and
 * leaves nothing behind. Confined to one thread, which reads what the processes print; another one may cancel it.
 */
final class Demo {
    /** How often each rank is started again. */
    static final int BUDGET = 5;

    private static final Duration FRAME = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration END_LIMIT = Duration.ofSeconds(20);
    private static final long STORE_BYTES = 16 << 20; // a job of 32 ranks needs a fraction; the heap is small

    private final Board board;
    private final Function<Path, ProcessJob.Builder> program;
    private final int[] starts;
    private final ProcessWatch processes = new ProcessWatch();
    private final List<Report> reports = new ArrayList<>();
    private final List<RankProcess> ended = new ArrayList<>();
    private @Nullable ProcessJob job;
    private @Nullable TcpStoreServer store;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean cancelled; // set once, by the thread that cancels

    /** Creates the demo of these faults; {@code program} returns the settings of ranks that write into a directory. */
    Demo(Board board, Function<Path, ProcessJob.Builder> program) {
        this.board = board;
        this.program = program;
        starts = new int[board.plan.ranks()];
    }

    /** Runs the job to its end; returns the exit code. */
    int run(boolean isPlain, JsonOption json) throws IOException, InterruptedException {
        PrintStream out = Program.out();
        Display display = new Display(out, !isPlain && Ansi.AUTO.enabled());
        Runtime.getRuntime().addShutdownHook(new Thread(this::cancel, "cancel"));
        long start = System.nanoTime();
        try (WorkDirectory directory = new WorkDirectory("resiliency-demo-")) {
            try (processes) {
                start(directory.path());
                follow(display, start);
            } finally {
                if (store != null) {
                    store.close();
                }
            }
            if (cancelled) {
                return 1;
            }
            DemoReport report = DemoReport.of(board, Duration.ofNanos(System.nanoTime() - start));
            report.summary().forEach(out::println);
            if (!report.problems().isEmpty()) {
                directory.keep();
                out.println("Logs of the processes: " + directory.path());
            }
            out.flush();
            json.write(report);
            return report.problems().isEmpty() ? 0 : 1;
        } finally {
            over.countDown();
        }
    }

    private void start(Path directory) throws IOException, InterruptedException {
        ProcessJob.Builder settings = program.apply(directory)
                .worldSize(board.plan.ranks())
                .javaOptions("-Xmx256m", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr", faults())
                .arguments("--steps=" + board.plan.steps(), "--directory=" + directory);
        if (board.hasReserves()) {
            settings.arguments("--active=" + board.active);
        }
        if (board.plan.replaced()) { // rank 0 would not outlive its store
            store = TcpStoreServer.builder()
                    .limit(StoreLimit.TOTAL_BYTES, STORE_BYTES)
                    .start();
            settings.environment(StoreFactory.VARIABLE, "127.0.0.1:" + store.port());
        }
        ProcessJob started = processes.start(settings);
        job = started;
        started.ranks().forEach(this::follow);
    }

    /** Returns the option with the faults that have not happened yet. */
    private String faults() {
        return board.plan.faults().stream()
                .filter(fault -> !board.happened.contains(fault))
                .map(PlannedFault::toString)
                .collect(Collectors.joining(",", "-D" + RankCommand.FAULTS + "=", ""));
    }

    private void follow(RankProcess process) {
        processes.follow(
                process, line -> Json.read(line, Report.class).ifPresent(reports::add), exitCode -> ended.add(process));
    }

    private void follow(Display display, long start) throws IOException, InterruptedException {
        long progress = -1;
        long since = start;
        while (!board.isOver()) {
            Thread.sleep(FRAME.toMillis());
            if (cancelled) {
                return; // the same Ctrl-C ends the ranks
            }
            step();
            long now = System.nanoTime();
            if (progress != board.progress()) {
                progress = board.progress();
                since = now;
            }
            boolean isStuck = now - since > PATIENCE.toNanos();
            if (isStuck) {
                board.problem("no progress for %d s; these ranks are still running: %s"
                        .formatted(PATIENCE.toSeconds(), String.join(", ", board.running())));
            }
            display.update(board, Duration.ofNanos(now - start));
            if (isStuck) {
                return;
            }
        }
    }

    private void step() throws IOException, InterruptedException {
        processes.look();
        reports.sort(Comparator.comparingLong(Report::nanos));
        for (Report report : reports) {
            if (report.event() instanceof FaultDue due
                    && due.fault().hitsAll()
                    && !board.happened.contains(due.fault())
                    && job != null) {
                job.ranks().forEach(RankProcess::kill);
            }
            board.apply(report);
        }
        reports.clear();
        for (RankProcess process : List.copyOf(ended)) {
            board.ended(process.rank(), process.awaitExit());
            if (board.ranks.get(process.rank()).phase != Phase.FINISHED) {
                replace(process.rank());
            }
        }
        ended.clear();
        for (int rank : board.lostHosts()) {
            replace(rank);
        }
    }

    private void replace(int rank) throws IOException {
        if (!board.plan.replaced() || job == null) {
            return;
        }
        if (starts[rank] == BUDGET) {
            board.problem("rank %d has lost %d processes: it is not started again".formatted(rank, BUDGET + 1));
        } else {
            starts[rank]++;
            RankProcess process = job.start(rank, faults());
            follow(process);
            board.startsAgain(rank, process.pid());
        }
    }

    /** Ends the job from another thread, and waits until no process is left; does nothing if it is over. */
    private void cancel() {
        cancelled = true;
        try {
            over.await(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
