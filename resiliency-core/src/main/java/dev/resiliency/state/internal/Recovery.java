package dev.resiliency.state.internal;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.CheckpointReader;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.state.RecoveryReport.Source;
import dev.resiliency.state.internal.Decision.Kind;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.spi.SessionStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One recovery on one rank, from its beginning to the verdict. Confined to the function's thread. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger("dev.resiliency.state");

    /** What a rank claims that could not receive the state; the reason follows. */
    private static final String FAILED = "failed: ";

    private final CallWrapper call;
    private final State state;
    private final Replica replica;
    private final List<Region> regions;
    private final Exchange exchange;
    private final long start = System.nanoTime();
    /** The holdings of all ranks; empty except on the rank that decides. */
    private List<Holding> holdings = List.of();

    Recovery(CallWrapper call, Replica replica, List<Region> regions) {
        this.call = call;
        this.state = call.state();
        this.replica = replica;
        this.regions = regions;
        this.exchange = new Exchange(call.store(), state);
    }

    @SuppressWarnings("try") // the pause is only closed
    <E extends Exception> RecoveryReport run(CheckpointReader<E> checkpoint) throws E, InterruptedException {
        Decision decision;
        RecoveryReport report;
        try (HangProtectionPause pause = call.disableHangProtection()) {
            try (Connections connections = new Connections(state.initialRank())) {
                call.onAbort(connections::close);
                Chunks chunks = new Chunks(regions);
                Holding own = publishHolding(chunks, connections);
                decision = decide();
                report = decision.kind() == Kind.MEMORY ? fromMemory(decision, own, chunks, connections) : null;
            }
            if (decision.kind() == Kind.MISMATCH) {
                throw mismatch(decision);
            }
        }
        if (report == null) {
            report = fromCheckpoint(decision, checkpoint);
        }
        LOG.info("{} {}", prefix(), report);
        return report;
    }

    /** Returns the beginning of a line of the log, as the wrapper's lines have it. */
    private String prefix() {
        boolean isFounder = state.initialRank() < state.initialWorldSize();
        return "[rank " + state.initialRank() + (isFounder ? "/" + state.initialWorldSize() : "") + " it "
                + state.iteration() + "]";
    }

    private Holding publishHolding(Chunks chunks, Connections connections) throws InterruptedException {
        Holding own = new Holding(
                state.initialRank(),
                replica.isWhole(),
                replica.line(),
                replica.step(),
                Layout.of(regions).fingerprint(),
                state.activeWorldSize() == 1 ? null : serve(chunks, connections));
        exchange.publishHolding(own);
        return own;
    }

    /** Starts to serve this rank's chunks; returns null if that is impossible. */
    private @Nullable Peer serve(Chunks chunks, Connections connections) {
        SessionStore session = session();
        if (session != null && session.isEncrypted()) {
            LOG.debug("{} the store is encrypted, and the transfer would not be: nothing is served", prefix());
            return null;
        }
        try {
            return ChunkServer.start(
                    state.initialRank(),
                    LocalAddress.towards(session == null ? null : session.address()),
                    session == null ? null : session.secret(),
                    chunks,
                    connections);
        } catch (IOException e) {
            call.checkRestart(); // which closes the sockets
            LOG.warn("{} cannot send its state to other ranks: {}", prefix(), e.toString());
            return null;
        }
    }

    private @Nullable SessionStore session() {
        Store store = call.store();
        return store instanceof SessionStore session ? session : null;
    }

    private Decision decide() throws InterruptedException {
        if (exchange.isLeader()) {
            holdings = exchange.holdings();
            Decision decision = Agreement.decide(holdings, state.iteration());
            if (decision.kind() == Kind.MISMATCH) {
                exchange.publishLayout(Layout.of(regions));
            }
            exchange.publishDecision(
                    decision, decision.kind() == Kind.MEMORY ? Agreement.sources(decision, holdings) : Map.of());
        }
        return exchange.decision();
    }

    /** Returns null if the state turned out to be of no use, and has been given up. */
    private @Nullable RecoveryReport fromMemory(Decision decision, Holding own, Chunks chunks, Connections connections)
            throws InterruptedException {
        boolean isReceiver = !decision.isMetBy(own);
        IndexSet senders = IndexSet.empty();
        String claim;
        if (isReceiver) {
            replica.beginWrite();
            Download download = new Download(chunks, exchange.sources(), secret(), connections);
            claim = download.run() ? Digest.of(decision.line(), decision.step(), chunks) : FAILED + download.failures();
            senders = download.senders();
            call.checkRestart(); // which makes transfers fail, and is the better reason to end
        } else {
            chunks.hold();
            claim = digest(decision.line(), decision.step(), chunks);
        }
        String verdict = verdict("memory", claim);
        if (!verdict.isEmpty()) {
            LOG.warn("{} all ranks read the checkpoint: step {} in memory {}", prefix(), decision.step(), verdict);
            exchange.awaitGivenUp();
            replica.beginWrite();
            return null;
        }
        if (isReceiver) {
            replica.endWrite(decision.line(), decision.step());
        }
        return report(
                decision,
                decision.step(),
                isReceiver ? Source.PEERS : Source.MEMORY,
                senders,
                isReceiver ? chunks.bytes() : 0);
    }

    private @Nullable SecretKey secret() {
        SessionStore session = session();
        return session == null ? null : session.secret();
    }

    private String digest(int line, long step, Chunks chunks) {
        ByteBuffer staging = Chunks.newStaging();
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            call.checkRestart();
            chunks.compute(chunk, staging);
        }
        return Digest.of(line, step, chunks);
    }

    /** Returns what is wrong with what the ranks claim, in words; empty if all claim the same. */
    private String verdict(String about, String claim) throws InterruptedException {
        exchange.publishClaim(about, claim);
        if (exchange.isLeader()) {
            List<String> claims = exchange.claims(about);
            exchange.publishVerdict(about, Agreement.verdict(claims, holdings, FAILED));
        }
        return exchange.verdict(about);
    }

    @SuppressWarnings("try") // the pause is only closed
    private <E extends Exception> RecoveryReport fromCheckpoint(Decision decision, CheckpointReader<E> checkpoint)
            throws E, InterruptedException {
        if (!decision.reason().isEmpty()) {
            LOG.warn("{} all ranks read the checkpoint: {}", prefix(), decision.reason());
        }
        replica.beginWrite();
        long step = checkpoint.read();
        if (step < 0) {
            throw new IllegalArgumentException("the checkpoint's step is " + step + ": it must not be negative");
        }
        try (HangProtectionPause pause = call.disableHangProtection()) {
            Chunks chunks = new Chunks(regions);
            String digest = digest(state.iteration(), step, chunks);
            String verdict = verdict("checkpoint", "step " + step + " " + digest);
            if (!verdict.isEmpty()) {
                throw new RestartAbort("this rank has read step " + step + " from the checkpoint, but the state "
                        + verdict + ": all ranks must read the same checkpoint, or start from the same initial state");
            }
        }
        replica.endWrite(state.iteration(), step);
        return report(decision, step, Source.CHECKPOINT, IndexSet.empty(), 0);
    }

    private RecoveryReport report(Decision decision, long step, Source source, IndexSet senders, long bytes) {
        return new RecoveryReport(
                step, source, senders, Duration.ofNanos(System.nanoTime() - start), bytes, decision.stepsLost(step));
    }

    private RestartAbort mismatch(Decision decision) throws InterruptedException {
        Layout own = Layout.of(regions);
        Layout others = exchange.layoutOfLeader();
        if (!own.equals(others)) {
            exchange.publishMismatch(
                    "rank %d has the buffer %s".formatted(state.initialRank(), own.difference(others)));
        }
        return new RestartAbort("the buffers %s differ from those of the others: %s. All ranks must ask for the same"
                .formatted(decision.reason(), exchange.mismatch()));
    }
}
