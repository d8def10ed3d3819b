package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.cycle.Threads;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.protocol.StoreSeat;
import dev.resiliency.inprocess.internal.refound.Vote;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.guard.OwnFiles;
import dev.resiliency.store.spi.guard.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The monitor process of a rank, from the rank's side: a child JVM at the other end of a pipe.
 *
 * <p>The rank sends the {@link MonitorOptions}, and at the end {@link #GOODBYE}; if the pipe breaks without one, the
 * child knows that the rank has died. The child sends {@link #READY}, or {@link #FAILED} and a reason; and {@link #ENDS} and a reason
 * before it ends the rank. If the pipe breaks, the rank knows that its monitor has died.
 *
 * <p>Thread: {@code resiliency-monitor-process-r3}, which reads what the child sends until that ends.
 */
public final class MonitorProcess implements AutoCloseable {
    /** The line that ends the options. */
    static final String END_OF_OPTIONS = "--";

    static final char GOODBYE = 'G';
    /** Begins a line with what the rank remembers as a voter: {@link Ballot}. */
    static final char BALLOT = 'B';
    /** Begins a line with the options of a rank whose job has another store. */
    static final char MOVED = 'M';

    static final String READY = "READY";
    static final String FAILED = "FAILED ";
    static final String ENDS = "ENDS ";
    /** Begins a line with the address of a store that is silent, or refuses connections. */
    static final String STORE_LOST = "STORE_LOST ";

    private static final Logger LOG = SafeLog.of(MonitorProcess.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final int MAX_OUTPUT = 500;
    private static final String READER = "resiliency-monitor-process-r";

    private final Process process;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<MonitorProcessException> lost = new CompletableFuture<>();
    private final CompletableFuture<String> ending = new CompletableFuture<>();
    private final Thread reader;
    /** Null while nobody wants to know. */
    private volatile @Nullable Consumer<? super String> onStoreLost;
    /** Confined to the caller of the wrapper. */
    private @Nullable Path pidFile;
    /** Written by the caller of the wrapper before it ends the child; read by the reader. */
    private volatile boolean closing;

    private MonitorProcess(Process process, int rank) {
        this.process = process;
        this.reader = new Thread(this::read, READER + rank);
        reader.setDaemon(true);
    }

    /**
     * Starts the child, which then waits for {@link #watch}.
     *
     * @param heartbeats the heartbeat file, which the child deletes if this process ends before
     * @throws MonitorProcessException if the child, or the thread that reads its messages, cannot be started
     */
    public static MonitorProcess start(int rank, Path heartbeats) {
        Process process;
        try {
            process = Processes.start(MonitorCommand.builder().redirectErrorStream(true));
        } catch (IOException | OutOfMemoryError e) { // the JDK starts a thread of its own for each child
            throw new MonitorProcessException(
                    "the monitor process could not be started (" + e.getMessage() + "): check java.home, or "
                            + Threads.WHAT_TO_DO,
                    e);
        }
        try {
            return Threads.start(READER + rank, () -> {
                MonitorProcess monitor = new MonitorProcess(process, rank);
                monitor.reader.start();
                monitor.send(MonitorOptions.lineOf(heartbeats));
                return monitor;
            });
        } catch (ResiliencyException refused) {
            process.destroyForcibly();
            throw new MonitorProcessException(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** Lets the child watch this process. It is lost if it stops getting on with its start: see {@link StartWatch}. */
    public void watch(MonitorOptions options) {
        pidFile = options.pidFile();
        send(options.toText() + END_OF_OPTIONS + "\n");
        awaitStart(new StartWatch());
    }

    /** Looks after each period; the threads of the class library's timer call it again. */
    @SuppressWarnings("FutureReturnValueIgnored") // the look does not fail
    private void awaitStart(StartWatch start) {
        ready.copy().orTimeout(StartWatch.PERIOD.toSeconds(), TimeUnit.SECONDS).whenComplete((started, failure) -> {
            if (!(failure instanceof TimeoutException)) {
                return;
            }
            if (start.getsOn(process.info().totalCpuDuration().orElse(Duration.ZERO))) {
                LOG.info("the monitor process (pid {}) is still starting: this host may be overloaded", pid());
                awaitStart(start);
            } else {
                lose(start.describe());
            }
        });
    }

    private void lose(String why) {
        MonitorProcessException exception =
                new MonitorProcessException("the monitor process " + pid() + " " + why, null);
        lost.complete(exception);
        ready.completeExceptionally(exception);
    }

    /** Lets the child know what this rank remembers as a voter: it votes for this rank when its process has died. */
    public void remember(Vote vote, List<StoreSeat> successors, Duration limit) {
        send(BALLOT + new Ballot(vote.withoutTexts(), successors, limit).write() + "\n");
    }

    /** Lets the child use another store. */
    public void move(MonitorOptions options) {
        send(MOVED + options.toLine() + "\n");
    }

    /** Waits until the child watches this process. */
    public void awaitReady() throws InterruptedException {
        try {
            ready.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof StoreException storeLost ? storeLost : lost.join();
        }
    }

    /** Ends the wait for the child, as the store that it is to use is lost; does nothing if it watches this process. */
    public void loseStart(StoreException reason) {
        ready.completeExceptionally(reason);
    }

    /** Calls the listener when the child watches this process, on another thread; at once if it already does. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener does not fail
    public void onReady(Runnable listener) {
        ready.thenRun(listener);
    }

    /** Calls the listener if the child dies before {@link #close}; at once if it already has. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener does not fail
    public void onLost(Consumer<? super MonitorProcessException> listener) {
        lost.thenAccept(listener);
    }

    /** Calls the listener with the reason when the child is about to end this process, on another thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener does not fail
    public void onEnding(Consumer<? super String> listener) {
        ending.thenAccept(listener);
    }

    /** Calls the listener with the address of a store that the child has lost, on another thread. */
    public void onStoreLost(Consumer<? super String> listener) {
        onStoreLost = listener;
    }

    /** Returns the child's process id. */
    public long pid() {
        return process.pid();
    }

    /**
     * Ends the child and waits until it has ended: a child that watches is asked to end, and killed after a limit; one
     * that is still starting has nothing to finish and is killed at once. Later calls do nothing.
     */
    @Override
    public void close() {
        end(true);
    }

    /** Ends the child as {@link #close} does, but lets it report first that its rank has gone, as after a death. */
    public void abandon() {
        end(false);
    }

    private void end(boolean isGoodbye) {
        if (closing) {
            return;
        }
        closing = true;
        boolean watches = ready.isDone() && !ready.isCompletedExceptionally();
        if (!watches) {
            ready.cancel(false);
            process.destroyForcibly();
        } else if (isGoodbye) {
            send(String.valueOf(GOODBYE));
        } else {
            closePipe();
        }
        try {
            if (!process.waitFor(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "the monitor process {} has not ended after {} s and is killed",
                        pid(),
                        CLOSE_LIMIT.toSeconds());
                process.destroyForcibly();
            }
            reader.join(CLOSE_LIMIT.toMillis());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        if (!watches) {
            deletePidFile();
        }
    }

    private void closePipe() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            LOG.debug("the pipe to the monitor process {} is broken", pid(), e);
        }
    }

    private void deletePidFile() {
        if (pidFile == null) {
            return;
        }
        try {
            OwnFiles.delete(pidFile);
        } catch (IOException e) {
            LOG.warn("the pid file of the monitor process {} remains: {}", pid(), e.toString());
        }
    }

    /** Writes to the child; a pipe that is broken is noticed by the reader. From any thread. */
    private synchronized void send(String text) {
        try {
            OutputStream pipe = process.getOutputStream();
            pipe.write(text.getBytes(UTF_8));
            pipe.flush();
        } catch (IOException e) {
            LOG.debug("the pipe to the monitor process {} is broken", pid(), e);
        }
    }

    /** Runs on the reader's thread: reads the child's output until its end. */
    private void read() {
        StringBuilder output = new StringBuilder(); // from a JVM that does not start
        String failure = "";
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(READY)) {
                    ready.complete(null);
                } else if (line.startsWith(STORE_LOST)) {
                    Consumer<? super String> listener = onStoreLost;
                    if (listener != null) {
                        listener.accept(line.substring(STORE_LOST.length()));
                    }
                } else if (line.startsWith(ENDS)) {
                    ending.complete(line.substring(ENDS.length()));
                } else if (line.startsWith(FAILED)) {
                    failure = ": " + line.substring(FAILED.length());
                } else if (!ready.isDone() && output.length() < MAX_OUTPUT) {
                    output.append(' ').append(line.strip());
                }
            }
            if (!ready.isDone() && failure.isEmpty() && !output.isEmpty()) {
                failure = ":" + output;
            }
        } catch (IOException e) {
            failure = ": " + e.getMessage();
        }
        if (!closing) {
            lose("ended" + failure + "; without it nothing would end this rank if it hung, so the rank leaves");
        }
    }
}
