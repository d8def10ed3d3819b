package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.watch.HangLimits;
import dev.resiliency.inprocess.internal.watch.HeartbeatAge;
import dev.resiliency.inprocess.internal.watch.HeartbeatFile;
import dev.resiliency.inprocess.internal.watch.PauseDetector;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.SessionStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches one rank from outside: renews its lease, interrupts its iteration and ends it when its stamps are too old,
 * and reports its death. It uses one thread, and a second one that waits for the end of the pipe.
 *
 * <p>Thread: {@code resiliency-pipe}, which waits for that end.
 */
final class RankMonitor {
    private static final Duration REPORT_LIMIT = Duration.ofSeconds(10);
    /** A store that does not answer must not hold up the end of a rank that hangs. */
    private static final Duration REPORT_LIMIT_BEFORE_A_SIGNAL = Duration.ofSeconds(1);
    /** How long a rank that was suspended may take to say why it ends: a JVM whose shutdown has begun may end before it has. */
    private static final Duration LAST_WORDS_LIMIT = Duration.ofSeconds(2);

    private final MonitorOptions options;
    private final HeartbeatFile heartbeats;
    private final RankStore store;
    private final MonitorLog log;
    private final Consumer<? super String> rank;
    private final WatchedProcess process;
    private final HangLimits limits;
    private final PauseDetector pauses;
    private final HeartbeatAge automatic;
    private final HeartbeatAge manual;
    /** Of the restart loop: without it, a rank that waits inside it would take part in nothing, and hang nowhere. */
    private final HeartbeatAge loop;

    /** Why this monitor process has ended the rank; null if it has not. */
    private @Nullable Interruption hang;

    private long lastRenewal;
    /** The last renewal; one that has no answer yet is sent again by the store's client when it reconnects. */
    private CompletableFuture<?> renewal = CompletableFuture.completedFuture(null);
    /** Opened by the thread that listens to the pipe. */
    private final CountDownLatch lastWords = new CountDownLatch(1);

    /** @param rank receives why its process is about to be ended */
    RankMonitor(
            MonitorOptions options,
            HeartbeatFile heartbeats,
            RankStore store,
            MonitorLog log,
            Consumer<? super String> rank) {
        this.options = options;
        this.heartbeats = heartbeats;
        this.store = store;
        this.log = log;
        this.rank = rank;
        this.process = new WatchedProcess(options.pid(), options.processStart());
        this.limits = new HangLimits(options.softTimeout(), options.hardTimeout(), options.terminationGraceTime());
        long now = System.nanoTime();
        this.pauses = new PauseDetector(now, options.interval(), options.softTimeout());
        this.automatic = new HeartbeatAge(now);
        this.manual = new HeartbeatAge(now);
        this.loop = new HeartbeatAge(now);
        this.lastRenewal = now - options.heartbeatInterval().toNanos();
    }

    /** What comes over the pipe. */
    private sealed interface Message {}

    /** The pipe ends. */
    private enum End implements Message {
        GOODBYE,
        DEATH
    }

    /** The rank has accepted something as a voter. */
    private record Remember(Ballot ballot) implements Message {}

    /** The rank uses another store. */
    private record Move(MonitorOptions options) implements Message {}

    /** Watches until the rank has said goodbye, or has died and its death is reported. */
    void watch(BufferedReader pipe) throws InterruptedException {
        BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
        Thread listener = new Thread(
                () -> {
                    messages.add(listen(pipe, messages));
                    lastWords.countDown();
                },
                "resiliency-pipe");
        listener.setDaemon(true);
        listener.start();
        Message message = null;
        while (!(message instanceof End)) {
            check(System.nanoTime());
            message = process.isDumpingCore()
                    ? End.DEATH
                    : messages.poll(options.interval().toNanos(), TimeUnit.NANOSECONDS);
            if (message instanceof Remember remember) {
                store.remember(remember.ballot());
            } else if (message instanceof Move move) {
                store.move(move.options());
                renewal = CompletableFuture.completedFuture(null);
                lastRenewal = System.nanoTime(); // the rank has just got its lease there
            }
        }
        if (message == End.DEATH) {
            log.line("the rank has died");
            Interruption death =
                    interruption(Interruption.Kind.TERMINATED, "process " + options.pid() + " died" + memory(), null);
            boolean isReported = store.cede(REPORT_LIMIT) && report(death, REPORT_LIMIT);
            if (!isReported) {
                Interruption cause = hang == null ? death : hang;
                log.line("votes for its rank: " + store.vote(cause, options.heartbeatTimeout()));
            }
        }
    }

    /** Passes on what comes over the pipe, until its end. */
    private End listen(BufferedReader pipe, BlockingQueue<Message> messages) {
        try {
            for (int c = pipe.read(); c >= 0; c = pipe.read()) {
                if (c == MonitorProcess.GOODBYE) {
                    return End.GOODBYE;
                }
                String line = pipe.readLine();
                if (line == null) {
                    return End.DEATH;
                }
                switch (c) {
                    case MonitorProcess.ENDING -> lastWords.countDown();
                    case MonitorProcess.BALLOT -> messages.add(new Remember(Ballot.read(line)));
                    default -> messages.add(new Move(MonitorOptions.fromLine(line)));
                }
            }
        } catch (IOException broken) {
            return End.DEATH;
        }
        return End.DEATH;
    }

    private void check(long now) throws InterruptedException {
        long paused = pauses.check(now);
        if (now - lastRenewal >= options.heartbeatInterval().toNanos() || renewal.isCompletedExceptionally()) {
            lastRenewal = now;
            renew();
        }
        HeartbeatFile.Stamps stamps = heartbeats.stamps();
        long ofFunction =
                Math.max(age(automatic, stamps.automatic(), now, paused), age(manual, stamps.manual(), now, paused));
        long ofLoop = age(loop, heartbeats.loop(), now, paused);
        // A process that is suspended shows neither; the loop alone stands still where the function goes on.
        String silent = ofFunction < ofLoop / 2 ? "no cycle of its restart loop" : "no progress";
        long silence = Math.max(ofFunction, ofLoop);
        act(limits.decide(now, stamps.watched(), silence), stamps.watched(), silent, Duration.ofNanos(silence));
    }

    /** Returns the age of a heartbeat; one that is not in use counts as just beaten. */
    private static long age(HeartbeatAge heartbeat, long stamp, long now, long paused) {
        heartbeat.discount(paused);
        heartbeat.beat(stamp == HeartbeatFile.NEVER ? now : stamp);
        return heartbeat.at(now);
    }

    /** Sends the sign of life of this rank's host. */
    private void renew() throws InterruptedException {
        SessionStore session = store.session();
        if (session != null && renewal.isDone()) {
            // With an answer, so that the client notices within seconds that the store is out of reach.
            renewal = session.submit(List.of(store.renewal()), options.heartbeatTimeout());
        }
    }

    private void act(HangLimits.Measure decision, int watched, String silent, Duration silence)
            throws InterruptedException {
        switch (decision) {
            case NOTHING -> {}
            case INTERRUPT -> interrupt(watched, silent);
            case TERMINATE -> {
                String message = silent + " for " + options.hardTimeout().toMillis() + " ms (hardTimeout), since "
                        + LocalTime.now(ZoneId.systemDefault()).minus(silence).truncatedTo(ChronoUnit.SECONDS)
                        + memory() + "; process "
                        + options.pid() + " is terminated";
                log.line(message);
                hang = interruption(Interruption.Kind.HARD_TIMEOUT, message, lacksMemory());
                boolean isReported = report(hang, REPORT_LIMIT_BEFORE_A_SIGNAL);
                rank.accept(message + (isReported ? "" : ", and the store does not answer"));
                wake();
                process.terminate();
            }
            case KILL -> {
                log.line("process " + options.pid() + " is killed");
                process.kill();
            }
        }
    }

    /** Wakes the rank; if it was suspended, and so has heard nothing yet, waits until it has said why it ends. */
    private void wake() throws InterruptedException {
        boolean wasSuspended = process.isSuspended();
        try {
            process.wake();
        } catch (IOException e) {
            log.line("SIGCONT could not be sent: " + e);
        }
        if (!wasSuspended) {
            return;
        }
        long limit = Math.min(options.terminationGraceTime().toMillis(), LAST_WORDS_LIMIT.toMillis());
        if (!lastWords.await(limit, TimeUnit.MILLISECONDS)) {
            log.line("the rank has not said why it ends");
        }
    }

    /** Acts for a rank whose own watchdog does not run, or cannot reach the others; if it can, its record counts. */
    @SuppressWarnings("FutureReturnValueIgnored") // the log does not fail
    private void interrupt(int iteration, String silent) throws InterruptedException {
        String message = "its process has shown " + silent + " for "
                + options.softTimeout().toMillis() + " ms" + memory();
        Standing lacksMemory = lacksMemory();
        Interruption interruption = lacksMemory == null
                ? interruption(Interruption.Kind.SOFT_TIMEOUT, message, Standing.of(Activity.SILENT))
                : interruption(Interruption.Kind.OUT_OF_MEMORY, message, lacksMemory);
        log.line(message + ", iteration " + iteration + " is interrupted");
        RestartStore job = store.job();
        if (job == null) {
            return;
        }
        try {
            job.member()
                    .interrupt(iteration, List.of(interruption))
                    .whenComplete((outcome, failure) -> log.line(
                            "outcome of iteration " + iteration + ": " + (failure == null ? outcome : failure)));
        } catch (StoreException e) {
            log.line("the iteration could not be interrupted: " + e);
        }
    }

    private Interruption interruption(Interruption.Kind kind, String message, @Nullable Standing standing) {
        return new Interruption(options.identity().rank(), kind, Instant.now(), message, standing);
    }

    /** Returns that memory has run out in the process of the rank; null if it has not. */
    private @Nullable Standing lacksMemory() {
        return heartbeats.memory().ranOut() ? Standing.of(Activity.OUT_OF_MEMORY) : null;
    }

    /** Returns how full the memory of the rank was, if that is worth a word. */
    private String memory() {
        return heartbeats.memory().remark();
    }

    /** Reports the end of the rank; returns whether the store has answered. Idempotent: the last will in the store may report it as well. */
    private boolean report(Interruption end, Duration limit) throws InterruptedException {
        RestartStore job = store.job();
        if (job == null) {
            return false;
        }
        try {
            job.terminations().leave(heartbeats.iteration(), end).get(limit.toMillis(), TimeUnit.MILLISECONDS);
            log.line("reported " + end.kind());
            return true;
        } catch (ExecutionException | TimeoutException | StoreException e) {
            log.line("the end of the rank could not be reported, so the store reports it when its session ends: " + e);
            return false;
        }
    }
}
