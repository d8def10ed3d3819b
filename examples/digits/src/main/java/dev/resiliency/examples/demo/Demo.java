package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/**
 * Runs one job to its end, breaks it, shows it, judges it, and leaves nothing behind. Confined to one thread, which reads what the
 * processes print; another one may cancel it.
 */
abstract class Demo {
    private static final Duration FRAME = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final long STORE_BYTES = 16 << 20; // a job of 32 ranks needs a fraction; the heap is small

    final Board board;
    private final List<ProcessJob> jobs = new ArrayList<>();
    private final Set<RankProcess> ended = new HashSet<>();
    private @Nullable TcpStoreServer store;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean cancelled; // set once, by the thread that cancels

    Demo(Board board) {
        this.board = board;
    }

    /** Starts the processes, which write into this directory. */
    abstract void start(Path directory) throws IOException, InterruptedException;

    /** Reads a line that a process has printed; empty if it is no report of a rank. */
    Optional<Report> read(RankProcess process, String line) throws IOException {
        return Report.parse(line);
    }

    /** Decides what follows from the end of a process, whose reports are all on the board. */
    abstract void ended(RankProcess process, int exitCode) throws IOException;

    /** Does what is due; called often. */
    abstract void act() throws IOException;

    /** Returns whether all processes are gone, except for frozen ones, and none is to be started again. */
    abstract boolean isOver();

    /** Adds to the board what is wrong with the job, now that it is over. */
    void judge() {}

    /** Adds to the report for programs. */
    void complete(ObjectNode report) {}

    /** Runs the job to its end; returns the exit code. */
    int run(boolean isPlain, JsonOption json) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);
        Display display = new Display(out, !isPlain && Ansi.AUTO.enabled());
        Runtime.getRuntime().addShutdownHook(new Thread(this::cancel, "cancel"));
        long start = System.nanoTime();
        try (WorkDirectory directory = new WorkDirectory("resiliency-demo-")) {
            try {
                start(directory.path());
                follow(display, start);
            } finally {
                end();
            }
            if (cancelled) {
                return 1;
            }
            judge();
            DemoReport report = DemoReport.of(board, Duration.ofNanos(System.nanoTime() - start));
            report.summary().forEach(out::println);
            if (!report.problems().isEmpty()) {
                directory.keep();
                out.println("Logs of the processes: " + directory.path());
            }
            out.flush();
            ObjectNode all = Json.MAPPER.valueToTree(report);
            complete(all);
            json.write(all);
            return report.problems().isEmpty() ? 0 : 1;
        } finally {
            over.countDown();
        }
    }

    private void follow(Display display, long start) throws IOException, InterruptedException {
        long progress = -1;
        long since = start;
        while (!isOver()) {
            Thread.sleep(FRAME.toMillis());
            if (cancelled) {
                return; // the same Ctrl-C ends the ranks
            }
            step();
            long now = System.nanoTime();
            if (progress != board.progress()) {
                progress = board.progress();
                since = now;
            } else if (now - since > PATIENCE.toNanos()) {
                board.problem("no progress for %d s; these ranks are still running: %s"
                        .formatted(PATIENCE.toSeconds(), String.join(", ", board.running())));
                display.update(board, Duration.ofNanos(now - start));
                return;
            }
            display.update(board, Duration.ofNanos(now - start));
        }
    }

    private void step() throws IOException, InterruptedException {
        List<Report> reports = new ArrayList<>();
        Map<RankProcess, Integer> exitCodes = new LinkedHashMap<>();
        for (RankProcess process : processes()) {
            if (!process.isAlive() && ended.add(process)) {
                exitCodes.put(process, process.awaitExit());
            }
            for (String line : process.takeLines()) {
                read(process, line).ifPresent(reports::add);
            }
        }
        reports.sort(Comparator.comparingLong(Report::nanos));
        for (Report report : reports) {
            if (report.event() instanceof FaultDue due
                    && due.fault().hitsAll()
                    && !board.happened.contains(due.fault())) {
                processes().forEach(RankProcess::kill);
            }
            board.apply(report);
        }
        for (Map.Entry<RankProcess, Integer> exit : exitCodes.entrySet()) {
            ended(exit.getKey(), exit.getValue());
        }
        act();
    }

    /** Returns whether a process has ended, and what follows was decided. */
    final boolean hasEnded(RankProcess process) {
        return ended.contains(process);
    }

    /** Returns the latest process of each rank of each job. */
    private List<RankProcess> processes() {
        return jobs.stream().flatMap(job -> job.ranks().stream()).toList();
    }

    /** Hosts a store for a job that outlives each of its processes; returns its port. */
    int hostStore() throws IOException, InterruptedException {
        store = TcpStoreServer.builder()
                .limit(StoreLimit.TOTAL_BYTES, STORE_BYTES)
                .start();
        return store.port();
    }

    /** Starts processes that end with this demo. */
    ProcessJob start(ProcessJob.Builder settings) throws IOException {
        ProcessJob job = settings.start();
        jobs.add(job);
        return job;
    }

    private void end() throws InterruptedException {
        jobs.forEach(ProcessJob::close);
        long deadline = System.nanoTime() + END_LIMIT.toNanos();
        while (processes().stream().anyMatch(Demo::isThere) && System.nanoTime() - deadline < 0) {
            Thread.sleep(10);
        }
        if (store != null) {
            store.close();
        }
    }

    private static boolean isThere(RankProcess process) {
        return process.isAlive() || !process.family().isEmpty();
    }

    /** Ends the job from another thread, and waits until no process is left; does nothing if it is over. */
    private void cancel() {
        cancelled = true;
        try {
            over.await(2 * END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
