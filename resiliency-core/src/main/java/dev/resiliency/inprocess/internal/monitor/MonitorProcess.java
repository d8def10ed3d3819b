package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.MonitorProcessException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The monitor process of a rank, as the rank sees it: a child JVM at the other end of a pipe.
 *
 * <p>Down the pipe go the {@link MonitorOptions}, and in the end {@link #GOODBYE}; that it breaks without one tells the
 * child that the rank has died. Up comes {@link #READY}, or {@link #FAILED} and a reason; that it breaks tells the rank
 * that its monitor has died.
 */
public final class MonitorProcess implements AutoCloseable {
    /** The line that ends the options. */
    static final String END_OF_OPTIONS = "--";

    static final char GOODBYE = 'G';
    static final String READY = "READY";
    static final String FAILED = "FAILED ";

    private static final Logger LOG = LoggerFactory.getLogger(MonitorProcess.class);
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final int LONGEST_COMPLAINT = 500;

    private final Process process;
    private final CountDownLatch readyOrLost = new CountDownLatch(1);
    private final CompletableFuture<MonitorProcessException> lost = new CompletableFuture<>();
    private final Thread reader;
    /** Written by the thread that closes, before the goodbye; read by the reader. */
    private volatile boolean closing;

    private MonitorProcess(Process process, int rank) {
        this.process = process;
        this.reader = new Thread(this::read, "resiliency-monitor-process-r" + rank);
        reader.setDaemon(true);
    }

    /** Starts the child; {@link #awaitReady} waits until it watches. */
    public static MonitorProcess start(MonitorOptions options) {
        Process process;
        try {
            process = MonitorCommand.builder().redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new MonitorProcessException("the monitor process could not be started: " + e.getMessage(), e);
        }
        MonitorProcess monitor = new MonitorProcess(process, options.rank());
        monitor.reader.start();
        monitor.send(options.toText() + END_OF_OPTIONS + "\n");
        return monitor;
    }

    /** Waits until the child watches this rank. */
    public void awaitReady() throws InterruptedException {
        if (!readyOrLost.await(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new MonitorProcessException(
                    "the monitor process " + pid() + " did not start within " + START_LIMIT.toSeconds()
                            + " s: is this host overloaded?",
                    null);
        }
        MonitorProcessException exception = lost.getNow(null);
        if (exception != null) {
            throw exception;
        }
    }

    /** Calls the listener when the child has died without having been told to; at once if it already has. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener does not fail
    public void onLost(Consumer<? super MonitorProcessException> listener) {
        lost.thenAccept(listener);
    }

    /** The child's process id. */
    public long pid() {
        return process.pid();
    }

    /** Tells the child that the rank ends well, and waits until it has ended; ends it after a limit. */
    @Override
    public void close() {
        closing = true;
        send(String.valueOf(GOODBYE));
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
    }

    /** Writes to the child; a pipe that is broken is noticed by the reader. */
    private void send(String text) {
        try {
            OutputStream pipe = process.getOutputStream();
            pipe.write(text.getBytes(UTF_8));
            pipe.flush();
        } catch (IOException e) {
            LOG.debug("the pipe to the monitor process {} is broken", pid(), e);
        }
    }

    /** Runs on the reader's thread: reads what the child says, until its end. */
    private void read() {
        boolean isReady = false;
        StringBuilder complaint = new StringBuilder(); // of a JVM that does not start
        String failure = "";
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(READY)) {
                    isReady = true;
                    readyOrLost.countDown();
                } else if (line.startsWith(FAILED)) {
                    failure = ": " + line.substring(FAILED.length());
                } else if (!isReady && complaint.length() < LONGEST_COMPLAINT) {
                    complaint.append(' ').append(line.strip());
                }
            }
            if (!isReady && failure.isEmpty() && !complaint.isEmpty()) {
                failure = ":" + complaint;
            }
        } catch (IOException e) {
            failure = ": " + e.getMessage();
        }
        if (!closing) {
            MonitorProcessException exception = new MonitorProcessException(
                    "the monitor process " + pid() + " ended" + failure
                            + "; without it nothing would end this rank if it hung, so the rank leaves",
                    null);
            lost.complete(exception);
            readyOrLost.countDown();
        }
    }
}
