package dev.resiliency.inprocess.internal.process;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.coordination.RestartStore;
import dev.resiliency.store.Operation;
import dev.resiliency.store.PrefixStore;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Watches one rank from outside: renews its lease, ends it when its stamps are too old, and reports its death. All of it
 * happens on one thread; a second one waits for the end of the pipe.
 */
final class RankMonitor {
    private static final Duration REPORT_LIMIT = Duration.ofSeconds(10);
    /** A look that comes so late means that this process stood still itself, so what it sees proves nothing. */
    private static final Duration LATE = Duration.ofSeconds(1);

    private final MonitorOptions options;
    private final HeartbeatFile heartbeats;
    private final @Nullable Store store;
    private final MonitorLog log;
    private final RankProcess process;
    private final HardTimeout hardTimeout;
    /** Null where the store keeps sessions, whose leases do the same. */
    private final @Nullable SiblingHeartbeats siblings;

    private long lastLook;
    private long lastRenewal;
    /** Stamps count from here on at the earliest: when this process last found itself to have stood still. */
    private long stampsCountFrom;

    RankMonitor(MonitorOptions options, HeartbeatFile heartbeats, @Nullable Store store, MonitorLog log) {
        this.options = options;
        this.heartbeats = heartbeats;
        this.store = store;
        this.log = log;
        this.process = new RankProcess(options.pid(), options.processStart());
        this.hardTimeout = new HardTimeout(options.hardTimeout(), options.terminationGraceTime());
        this.siblings = store == null || store.keepsSessions()
                ? null
                : new SiblingHeartbeats(
                        job(store), options.rank(), options.worldSize(), options.heartbeatTimeout(), log::line);
        this.lastLook = System.nanoTime();
        this.stampsCountFrom = lastLook;
        this.lastRenewal = lastLook - options.heartbeatInterval().toNanos();
    }

    /** How the pipe ended. */
    private enum End {
        GOODBYE,
        DEATH
    }

    /** Returns when the rank has said goodbye, or has died and that is reported. */
    void watch(Reader pipe) throws InterruptedException {
        BlockingQueue<End> ends = new LinkedBlockingQueue<>();
        Thread listener = new Thread(() -> ends.add(endOf(pipe)), "resiliency-pipe");
        listener.setDaemon(true);
        listener.start();
        End end = null;
        while (end == null) {
            look(System.nanoTime());
            end = process.isDumpingCore()
                    ? End.DEATH
                    : ends.poll(options.interval().toNanos(), TimeUnit.NANOSECONDS);
        }
        if (end == End.DEATH) {
            log.line("the rank has died");
            report(Interruption.Kind.TERMINATED, "process " + options.pid() + " died");
        }
    }

    private static End endOf(Reader pipe) {
        try {
            for (int c = pipe.read(); c >= 0; c = pipe.read()) {
                if (c == MonitorProcess.GOODBYE) {
                    return End.GOODBYE;
                }
            }
        } catch (IOException broken) {
            return End.DEATH;
        }
        return End.DEATH;
    }

    private void look(long now) throws InterruptedException {
        boolean stoodStill = now - lastLook - options.interval().toNanos() > LATE.toNanos();
        if (stoodStill) {
            stampsCountFrom = now;
        }
        lastLook = now;
        if (stoodStill || now - lastRenewal >= options.heartbeatInterval().toNanos()) {
            lastRenewal = now;
            beat(now, stoodStill);
        }
        long manual = heartbeats.manual();
        HardTimeout.Decision decision = hardTimeout.decide(
                now,
                latest(heartbeats.automatic(), stampsCountFrom),
                manual == HeartbeatFile.NEVER ? manual : latest(manual, stampsCountFrom));
        try {
            act(decision);
        } catch (IOException e) {
            log.line("a signal could not be sent: " + e);
        }
    }

    /** Says that this rank's host is alive. */
    private void beat(long now, boolean stoodStill) {
        if (siblings != null) {
            siblings.step(now, heartbeats.iteration(), stoodStill);
        } else if (store != null) {
            store.send(List.of(new Operation.Renew(options.session())));
        }
    }

    private RestartStore job(Store store) {
        return new RestartStore(new PrefixStore(options.prefix(), store), options.rank(), options.worldSize());
    }

    private void act(HardTimeout.Decision decision) throws IOException, InterruptedException {
        switch (decision) {
            case NOTHING -> {}
            case TERMINATE -> {
                String message = "no progress for " + options.hardTimeout().toMillis() + " ms; process " + options.pid()
                        + " is ended";
                log.line(message);
                report(Interruption.Kind.HARD_TIMEOUT, message);
                process.terminate();
            }
            case KILL -> {
                log.line("process " + options.pid() + " is killed");
                process.kill();
            }
        }
    }

    /** Times of {@link System#nanoTime} are compared by their difference. */
    private static long latest(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** Reports the end of the rank; that the store's last will says the same does no harm. */
    private void report(Interruption.Kind kind, String message) throws InterruptedException {
        if (store == null) {
            return;
        }
        try {
            job(store)
                    .leave(heartbeats.iteration(), new Interruption(options.rank(), kind, Instant.now(), message))
                    .get(REPORT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            log.line("reported " + kind);
        } catch (ExecutionException | TimeoutException | StoreException e) {
            log.line("the end of the rank could not be reported, the store's last will must do: " + e);
        }
    }
}
