package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.cycle.Threads;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The process that watches a rank, from the rank's side: its agent, or else a child JVM, at the other end of a pipe.
 *
 * <p>The rank sends the {@link MonitorOptions}, and at the end {@link #GOODBYE}; if the pipe breaks without one, the other
 * process knows that the rank has died. It sends {@link #READY}, or {@link #FAILED} and a reason; and {@link #ENDS} and a reason
 * before it ends the rank, which answers {@link #ENDING} when it has said so. If the pipe breaks, the rank knows that nobody watches it any more.
 *
 * <p>Thread: {@code resiliency-monitor-process-r3}, which reads what the other process sends until that ends.
 */
public final class MonitorProcess implements AutoCloseable {
    /** The line that ends the options. */
    static final String END_OF_OPTIONS = "--";

    static final char GOODBYE = 'G';
    /** Begins a line with what the rank remembers as a voter: {@link Ballot}. */
    static final char BALLOT = 'B';
    /** Begins a line with the options of a rank whose job has another store. */
    static final char MOVED = 'M';
    /** A line: the rank has said why it is ended. */
    static final char ENDING = 'E';

    static final String READY = "READY";
    static final String FAILED = "FAILED ";
    static final String ENDS = "ENDS ";
    /** Begins a line with the address of a store that is silent, or refuses connections. */
    static final String STORE_LOST = "STORE_LOST ";

    private static final Logger LOG = SafeLog.of(MonitorProcess.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final int MAX_OUTPUT = 500;
    private static final String READER = "resiliency-monitor-process-r";

    private final MonitorPipe pipe;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<MonitorProcessException> lost = new CompletableFuture<>();
    private final CompletableFuture<String> ending = new CompletableFuture<>();
    private final Thread reader;
    /** Null while nobody wants to know. */
    private volatile @Nullable Consumer<? super String> onStoreLost;
    /** Confined to the caller of the wrapper. */
    private @Nullable Path pidFile;
    /** Written by the caller of the wrapper before it ends the watch; read by the reader. */
    private volatile boolean closing;

    private MonitorProcess(MonitorPipe pipe, int rank) {
        this.pipe = pipe;
        this.reader = new Thread(this::read, READER + rank);
        reader.setDaemon(true);
    }

    /**
     * Finds or starts the process, which then waits for {@link #watch}.
     *
     * @param heartbeats the heartbeat file, which that process deletes if this one ends before
     * @param isOwn whether it must be a child of this process
     * @throws MonitorProcessException if the child, or the thread that reads its messages, cannot be started
     */
    public static MonitorProcess start(int rank, Path heartbeats, boolean isOwn) {
        Optional<AgentPipe> agent = isOwn ? Optional.empty() : AgentPipe.ofThisProcess();
        return start(rank, heartbeats, agent.isPresent() ? agent.get() : startChild());
    }

    private static MonitorPipe startChild() {
        try {
            return ChildPipe.start();
        } catch (IOException | OutOfMemoryError e) { // the JDK starts a thread of its own for each child
            throw new MonitorProcessException(
                    "the monitor process could not be started (" + e.getMessage() + "): check java.home, or "
                            + Threads.WHAT_TO_DO,
                    e);
        }
    }

    static MonitorProcess start(int rank, Path heartbeats, MonitorPipe pipe) {
        try {
            return Threads.start(READER + rank, () -> {
                MonitorProcess monitor = new MonitorProcess(pipe, rank);
                monitor.reader.start();
                monitor.send(MonitorOptions.lineOf(heartbeats));
                return monitor;
            });
        } catch (ResiliencyException refused) {
            pipe.kill();
            throw new MonitorProcessException(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** Lets the process watch this one. It is lost if it does not begin to: see {@link MonitorPipe#startFailure}. */
    public void watch(MonitorOptions options) {
        pidFile = options.pidFile();
        send(options.toText() + END_OF_OPTIONS + "\n");
        awaitStart();
    }

    /** Looks after each period; the threads of the class library's timer call it again. */
    @SuppressWarnings("FutureReturnValueIgnored") // the look does not fail
    private void awaitStart() {
        ready.copy().orTimeout(StartWatch.PERIOD.toSeconds(), TimeUnit.SECONDS).whenComplete((started, failure) -> {
            if (!(failure instanceof TimeoutException)) {
                return;
            }
            String lack = pipe.startFailure();
            if (lack == null) {
                LOG.info("{} has not begun to watch this rank yet: this host may be overloaded", pipe.name());
                awaitStart();
            } else {
                lose(lack);
            }
        });
    }

    private void lose(String why) {
        MonitorProcessException exception = new MonitorProcessException(why, null);
        lost.complete(exception);
        ready.completeExceptionally(exception);
    }

    /** Lets the process know what this rank remembers as a voter: it votes for this rank when its process has died. */
    public void remember(Vote vote, List<StoreSeat> successors, Duration limit) {
        send(BALLOT + new Ballot(vote.withoutTexts(), successors, limit).write() + "\n");
    }

    /** Lets the process use another store. */
    public void move(MonitorOptions options) {
        send(MOVED + options.toLine() + "\n");
    }

    /** Waits until it watches this process. */
    public void awaitReady() throws InterruptedException {
        try {
            ready.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof StoreException storeLost ? storeLost : lost.join();
        }
    }

    /** Ends the wait for that, as the store that it is to use is lost; does nothing if it watches this process. */
    public void loseStart(StoreException reason) {
        ready.completeExceptionally(reason);
    }

    /** Calls the listener when it watches this process, on another thread; at once if it already does. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener does not fail
    public void onReady(Runnable listener) {
        ready.thenRun(listener);
    }

    /** Calls the listener if the watch ends before {@link #close}; at once if it already has. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener does not fail
    public void onLost(Consumer<? super MonitorProcessException> listener) {
        lost.thenAccept(listener);
    }

    /** Calls the listener with the reason when it is about to end this process, on another thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener does not fail
    public void onEnding(Consumer<? super String> listener) {
        ending.thenAccept(listener);
    }

    /** Calls the listener with the address of a store that it has lost, on another thread. */
    public void onStoreLost(Consumer<? super String> listener) {
        onStoreLost = listener;
    }

    /**
     * Ends the watch: one that has begun is asked to end, and ended after a limit; one that has not has nothing to finish, and
     * is ended at once. Later calls do nothing.
     */
    @Override
    public void close() {
        end(true);
    }

    /** Ends the watch as {@link #close} does, but lets it report first that its rank has gone, as after a death. */
    public void abandon() {
        end(false);
    }

    private void end(boolean isGoodbye) {
        if (closing) {
            return;
        }
        closing = true;
        boolean watches = ready.isDone() && !ready.isCompletedExceptionally();
        if (watches && !isGoodbye) {
            closeOutput();
        } else {
            send(String.valueOf(GOODBYE));
        }
        if (!watches) {
            ready.cancel(false);
            pipe.kill();
        }
        try {
            reader.join(CLOSE_LIMIT.toMillis());
            if (reader.isAlive()) {
                LOG.warn("{} has not ended after {} s and is killed", pipe.name(), CLOSE_LIMIT.toSeconds());
                pipe.kill();
                reader.join(CLOSE_LIMIT.toMillis());
            }
            pipe.awaitEnd();
        } catch (InterruptedException e) {
            pipe.kill();
            Thread.currentThread().interrupt();
        }
        if (!watches) {
            deletePidFile();
        }
    }

    private void closeOutput() {
        try {
            pipe.closeOutput();
        } catch (IOException e) {
            LOG.debug("the pipe to {} is broken", pipe.name(), e);
        }
    }

    private void deletePidFile() {
        if (pidFile == null) {
            return;
        }
        try {
            OwnFiles.delete(pidFile);
        } catch (IOException e) {
            LOG.warn("the pid file of {} remains: {}", pipe.name(), e.toString());
        }
    }

    /** Writes to the child; a pipe that is broken is noticed by the reader. From any thread. */
    private synchronized void send(String text) {
        try {
            OutputStream output = pipe.output();
            output.write(text.getBytes(UTF_8));
            output.flush();
        } catch (IOException e) {
            LOG.debug("the pipe to {} is broken", pipe.name(), e);
        }
    }

    /** Runs on the reader's thread: reads what the process says until its end. */
    private void read() {
        StringBuilder output = new StringBuilder(); // from a JVM that does not start
        String failure = "";
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(pipe.input(), UTF_8))) {
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
                    send(ENDING + "\n");
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
            lose(pipe.ended() + failure + "; without it nothing would end this rank if it hung, so the rank leaves");
        }
    }
}
