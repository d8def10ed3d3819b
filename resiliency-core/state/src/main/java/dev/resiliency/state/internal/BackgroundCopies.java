package dev.resiliency.state.internal;

import dev.resiliency.state.LiveState.Shard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the state of one rank while the training goes on. In a commit that is due, the function's thread copies all buffers
 * within this process. Then a thread of its own fetches the copies of the guests' shards from their ranks, and waits until
 * all ranks have theirs. Until then, the copy before is kept.
 *
 * <p>All ranks count the same steps, so that they copy the same ones. One that has not ended with a copy skips the next,
 * which none of them completes then.
 */
final class BackgroundCopies {
    private static final Logger LOG = LoggerFactory.getLogger("dev.resiliency.state");

    private final String prefix;
    private final List<LivePart> parts;
    private final Copies copies;
    private final Served served;
    private final List<Guest> guests;
    private final int every;
    private final Pace pace;
    private final CopyExchange exchange;
    private final Connections connections;
    private final @Nullable SecretKey secret;

    /** Whether a copy is under way. Set by the function's thread, reset by the one that copies. */
    private final AtomicBoolean busy = new AtomicBoolean();
    /** The steps that are due, in their order. */
    private final BlockingQueue<Due> due = new LinkedBlockingQueue<>();
    /** The step from which on a copy is due. Confined to the function's thread. */
    private long next;
    /** Confined to the thread that copies. */
    private boolean hasWarned;

    /** @param isSkipped whether a copy was under way, and this one is not made */
    private record Due(Version version, boolean isSkipped) {}

    BackgroundCopies(
            String prefix,
            List<LivePart> parts,
            Copies copies,
            Served served,
            List<Guest> guests,
            Shard shard,
            CopyExchange exchange,
            Connections connections,
            @Nullable SecretKey secret) {
        this.prefix = prefix;
        this.parts = parts;
        this.copies = copies;
        this.served = served;
        this.guests = guests;
        this.every = shard.copyEvery();
        this.pace = new Pace(shard.bytesPerSecond(), System::nanoTime);
        this.exchange = exchange;
        this.connections = connections;
        this.secret = secret;
    }

    void start() {
        connections.start("copy", this::run);
    }

    /** The buffers hold this state; they do not change before this method returns. */
    void committed(Version version) {
        if (version.step() < next) {
            return;
        }
        next = version.step() + every;
        boolean isSkipped = !busy.compareAndSet(false, true);
        if (!isSkipped) {
            for (LivePart each : parts) {
                copies.take(new Copied(each.part(), version), each.chunks());
            }
        }
        due.add(new Due(version, isSkipped));
    }

    private void run() throws InterruptedException {
        try {
            while (true) {
                Due next = due.take(); // ends by an interrupt, when the connections are closed
                if (next.isSkipped()) {
                    skip(next.version().step());
                } else {
                    copy(next.version());
                    busy.set(false);
                }
            }
        } catch (RuntimeException e) {
            if (!connections.isClosed()) { // else the iteration is over
                LOG.error("{} copies shards no longer in this iteration, nor does any other rank", prefix, e);
            }
        }
    }

    private void skip(long step) throws InterruptedException {
        if (!hasWarned) {
            hasWarned = true;
            LOG.warn(
                    "{} the copy of step {} is left out: the one before has not arrived after {} steps. If ranks are"
                            + " lost, more steps are",
                    prefix,
                    step,
                    every);
        }
        exchange.saySkipped(step);
    }

    private void copy(Version version) throws InterruptedException {
        long start = System.nanoTime();
        long step = version.step();
        for (LivePart each : parts) {
            Copied own = new Copied(each.part(), version);
            Chunks copy = copies.find(own);
            if (copy != null && !each.part().isReplicated()) {
                served.put(own, copy);
            }
        }
        exchange.sayReady(step);
        if (fetchesAll(version)) {
            exchange.sayFetched(step);
        } else {
            exchange.giveUp(step);
        }
        if (exchange.awaitComplete(step)) {
            drop(each -> each.compareTo(version) < 0);
            exchange.forgetBefore(step);
            LOG.debug(
                    "{} copied step {} in {} ms",
                    prefix,
                    step,
                    Duration.ofNanos(System.nanoTime() - start).toMillis());
        } else {
            drop(version::equals);
        }
    }

    private boolean fetchesAll(Version version) throws InterruptedException {
        boolean hasAll = true;
        for (Guest guest : guests) {
            hasAll = hasAll && exchange.awaitReady(version.step(), guest.activeRank()) && fetches(guest, version);
        }
        return hasAll;
    }

    private boolean fetches(Guest guest, Version version) throws InterruptedException {
        Copied name = new Copied(guest.shard(), version);
        Copies.Copy copy = copies.begin(guest.shard());
        Download download =
                new Download(name, copy.chunks(), new Sources(1, List.of(guest.peer())), pace, secret, connections);
        if (download.run()) {
            copies.add(name, copy);
            return true;
        }
        copies.release(guest.shard(), copy);
        if (!exchange.isGivenUp(version.step()) && !connections.isClosed()) {
            LOG.warn("{} the copy of step {} is left out: {}", prefix, version.step(), download.failures());
        }
        return false;
    }

    /** Drops copies, and serves them no longer. */
    private void drop(Predicate<Version> which) {
        served.removeIf(name -> which.test(name.version()));
        copies.drop(which);
    }
}
