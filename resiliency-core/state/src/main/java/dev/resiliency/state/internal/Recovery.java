package dev.resiliency.state.internal;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.spi.socket.LocalAddress;
import dev.resiliency.state.LiveState.CheckpointReader;
import dev.resiliency.state.LiveState.Shard;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.state.RecoveryReport.Source;
import dev.resiliency.state.internal.RecoveryDecision.Kind;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.SessionStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
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
    private final OwnParts parts;
    private final Connections connections;
    private final Served served = new Served();
    private final Exchange exchange;
    private final RecoveryClock clock = new RecoveryClock(System::nanoTime);
    /** The holdings of all ranks; empty except on the rank that decides. */
    private List<Holding> holdings = List.of();
    /** The initial ranks for whom all had to wait. */
    private IndexSet last = IndexSet.empty();
    /** Those whose shards this rank copies afterwards; null if no rank copies any. */
    private @Nullable List<Guest> guests;

    /** @param connections closed at the end, unless copies are to be served while the training goes on */
    Recovery(CallWrapper call, Replica replica, OwnParts parts, Connections connections) {
        this.call = call;
        this.state = call.state();
        this.replica = replica;
        this.parts = parts;
        this.connections = connections;
        this.exchange = new Exchange(call.store(), state);
    }

    @SuppressWarnings("try") // the pause is only closed
    <E extends Exception> RecoveryReport run(CheckpointReader<E> checkpoint) throws E, InterruptedException {
        RecoveryDecision decision;
        RecoveryReport report;
        try (HangProtectionPause pause = call.disableHangProtection()) {
            call.onAbort(connections::close);
            try {
                publishHolding();
                try (HangProtectionPause wait = call.waitsForPeers()) {
                    decision = decide();
                }
                last = clock.agreed().compareTo(Exchange.LOOK) < 0 ? IndexSet.empty() : exchange.last();
                report = decision.kind() == Kind.MEMORY ? fromMemory(decision) : null;
                served.removeIf(name -> true); // the function changes the buffers from now on
            } finally {
                if (guests == null) {
                    connections.close();
                }
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

    /** Returns what copies the shards from now on; null if nothing is to be copied. */
    @Nullable
    BackgroundCopies copyInBackground() {
        List<Guest> its = guests;
        Shard shard = parts.shard();
        if (its == null || shard == null) {
            return null;
        }
        BackgroundCopies copying = new BackgroundCopies(
                prefix(),
                parts.live(),
                replica.copies(),
                served,
                its,
                shard,
                new CopyExchange(call.store(), state),
                connections,
                secret());
        copying.start();
        return copying;
    }

    /** Returns the beginning of a line of the log, as the wrapper's lines have it. */
    private String prefix() {
        boolean isFounder = state.initialRank() < state.initialWorldSize();
        return "[rank " + state.initialRank() + (isFounder ? "/" + state.initialWorldSize() : "") + " it "
                + state.iteration() + "]";
    }

    private void publishHolding() throws InterruptedException {
        exchange.publishHolding(new Holding(
                state.initialRank(),
                replica.isWhole(),
                replica.version(),
                parts.layout().fingerprint(),
                parts.valueSizes(),
                state.activeWorldSize() == 1 ? null : serve(),
                shardHolding()));
    }

    private @Nullable ShardHolding shardHolding() {
        Shard shard = parts.shard();
        Part own = parts.shardPart();
        if (shard == null || own == null) {
            return null;
        }
        return new ShardHolding(
                host(shard), own.equals(replica.shard()), own, replica.copies().names());
    }

    private String host(Shard shard) {
        try {
            return shard.host().of(state.initialRank()).lines().findFirst().orElse("");
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the host key of this rank's shard cannot be computed: " + e, e);
        }
    }

    /** Starts to serve this rank's chunks; returns null if that is impossible. */
    private @Nullable Peer serve() {
        SessionStore session = session();
        try {
            return ChunkServer.start(
                    state.initialRank(),
                    LocalAddress.towards(session == null ? null : session.address()),
                    session == null ? null : session.secret(),
                    session != null && session.isEncrypted(),
                    served,
                    connections,
                    Descriptors.ofThisProcess());
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

    private RecoveryDecision decide() throws InterruptedException {
        if (exchange.isLeader()) {
            Exchange.Holdings published = exchange.holdings();
            IndexSet late = IndexSet.of(published.last().stream()
                    .map(active -> published.all().get(active).rank())
                    .toArray());
            holdings = withinReach(published.all());
            RecoveryDecision decision = Agreement.decide(holdings, state.iteration());
            if (decision.kind() == Kind.MISMATCH) {
                exchange.publishLayout(parts.layout());
            }
            boolean isMemory = decision.kind() == Kind.MEMORY;
            exchange.publishDecision(
                    decision,
                    isMemory ? Agreement.sources(decision, holdings) : Map.of(),
                    isMemory ? Agreement.shardSources(decision, holdings) : Map.of(),
                    Agreement.guests(holdings),
                    late);
        }
        RecoveryDecision decision = exchange.decision();
        guests = parts.shard() == null ? null : exchange.guests();
        return decision;
    }

    private List<Holding> withinReach(List<Holding> all) {
        IndexSet outOfReach = Agreement.outOfReach(all);
        if (outOfReach.isEmpty()) {
            return all;
        }
        LOG.warn(
                "{} ranks {} can send their state to nobody: the store has a loopback address on their host. MASTER_ADDR must"
                        + " be resolved there to an address at which the other hosts reach it",
                prefix(),
                outOfReach);
        return all.stream()
                .map(each -> outOfReach.contains(each.rank()) ? each.withoutPeer() : each)
                .toList();
    }

    /** Returns null if the state turned out to be of no use, and has been given up. */
    private @Nullable RecoveryReport fromMemory(RecoveryDecision decision) throws InterruptedException {
        Version version = decision.version();
        if (!replica.isWhole() || !replica.version().equals(version)) {
            replica.beginWrite();
            parts.allocateValues(decision.values());
        }
        Map<Part, Chunks> chunks = chunks();
        Received received = new Received();
        serveWhatIsHeld(version, chunks);
        for (Map.Entry<Part, Chunks> part : chunks.entrySet()) {
            if (received.failure.isEmpty()) {
                bring(new Copied(part.getKey(), version), part.getValue(), received);
            }
        }
        clock.filled();
        String claim = received.failure.isEmpty() ? claims(version, chunks) : FAILED + received.failure;
        String verdict = verdict("memory", claim);
        if (!verdict.isEmpty()) {
            LOG.warn("{} all ranks read the checkpoint: step {} in memory {}", prefix(), decision.step(), verdict);
            exchange.awaitGivenUp();
            replica.beginWrite();
            return null;
        }
        if (received.hasChanged || decision.goesBack()) {
            replica.endWrite(decision.goesBack() ? version.branchedIn(state.iteration()) : version, parts.shardPart());
        }
        if (decision.goesBack()) {
            keepCopies(version, chunks);
        }
        replica.copies().drop(each -> !each.equals(decision.kept()));
        return report(
                decision,
                decision.step(),
                received.bytes > 0 ? Source.PEERS : Source.MEMORY,
                received.senders,
                received.bytes);
    }

    /** Returns the chunks of all parts, as long as they are now. */
    private Map<Part, Chunks> chunks() {
        Map<Part, Chunks> chunks = new LinkedHashMap<>();
        parts.live().forEach(each -> chunks.put(each.part(), each.chunks()));
        return chunks;
    }

    /** What a rank has received. */
    private static final class Received {
        private boolean hasChanged;
        private long bytes;
        private IndexSet senders = IndexSet.empty();
        /** Empty if all has arrived. */
        private String failure = "";
    }

    /** Returns whether the buffers of a part are what is decided. */
    private boolean isInPlace(Copied name) {
        return replica.isWhole()
                && replica.version().equals(name.version())
                && (name.part().isReplicated() || name.part().equals(replica.shard()));
    }

    /** Serves all that this rank has of a state, before it waits for the rest of it. */
    private void serveWhatIsHeld(Version version, Map<Part, Chunks> chunks) {
        chunks.forEach((part, live) -> {
            Copied name = new Copied(part, version);
            if (isInPlace(name)) {
                live.hold();
            }
            served.put(name, live); // even if it is yet to be received: each chunk is passed on
        });
        for (Copied name : replica.copies().names()) {
            Chunks copy = replica.copies().find(name);
            if (name.version().equals(version) && copy != null) {
                copy.hold();
                served.put(name, copy);
            }
        }
    }

    /** Brings the buffers of a part to the state that is decided: they hold it, or a copy or other ranks do. */
    private void bring(Copied name, Chunks live, Received received) throws InterruptedException {
        if (isInPlace(name)) {
            return;
        }
        replica.beginWrite();
        received.hasChanged = true;
        Chunks copy = replica.copies().find(name);
        if (copy != null) {
            Copies.copyAll(copy, live);
            return;
        }
        Sources sources = name.part().isReplicated() ? exchange.sources() : exchange.shardSources();
        Download download = new Download(name, live, sources, Pace.unlimited(), secret(), connections);
        boolean isComplete = download.run();
        clock.connecting(download.connecting());
        if (isComplete) {
            received.bytes += live.bytes();
            received.senders = received.senders.union(download.senders());
        } else {
            received.failure = download.failures();
        }
        call.checkRestart(); // which makes transfers fail, and is the better reason to end
    }

    /** Keeps copies of the state to which all ranks have gone back, until there are later ones. */
    private void keepCopies(Version version, Map<Part, Chunks> chunks) {
        chunks.forEach((part, live) -> {
            Copied name = new Copied(part, version);
            if (replica.copies().find(name) == null) {
                replica.copies().take(name, live);
            }
        });
    }

    private @Nullable SecretKey secret() {
        SessionStore session = session();
        return session == null ? null : session.secret();
    }

    /** Returns a line for each part, with its digest. */
    private String claims(Version version, Map<Part, Chunks> chunks) {
        ByteBuffer staging = Chunks.newStaging();
        StringBuilder claims = new StringBuilder();
        chunks.forEach((part, live) -> {
            for (int chunk = 0; chunk < live.count(); chunk++) {
                call.checkRestart();
                live.compute(chunk, staging);
            }
            claims.append(part.name())
                    .append(' ')
                    .append(Digest.of(version.line(), version.step(), live))
                    .append('\n');
        });
        return claims.toString();
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
    private <E extends Exception> RecoveryReport fromCheckpoint(
            RecoveryDecision decision, CheckpointReader<E> checkpoint) throws E, InterruptedException {
        if (!decision.reason().isEmpty()) {
            LOG.warn("{} all ranks read the checkpoint: {}", prefix(), decision.reason());
        }
        replica.copies().drop(each -> true);
        replica.beginWrite();
        long step = checkpoint.read();
        clock.filled();
        if (step < 0) {
            throw new IllegalArgumentException("the checkpoint's step is " + step + ": it must not be negative");
        }
        Version version = Version.ofCheckpoint(state.iteration(), step);
        try (HangProtectionPause wait = call.waitsForPeers()) {
            String verdict = verdict("checkpoint", claims(version, chunks()));
            if (!verdict.isEmpty()) {
                throw new RestartAbort("this rank has read step " + step + " from the checkpoint, but the state "
                        + verdict + ": all ranks must read the same checkpoint, or start from the same initial state");
            }
        }
        replica.endWrite(version, parts.shardPart());
        return report(decision, step, Source.CHECKPOINT, IndexSet.empty(), 0);
    }

    private RecoveryReport report(RecoveryDecision decision, long step, Source source, IndexSet senders, long bytes) {
        Duration duration = clock.elapsed();
        return new RecoveryReport(
                step, source, senders, duration, bytes, decision.stepsLost(step), clock.phases(duration), last);
    }

    private RestartAbort mismatch(RecoveryDecision decision) throws InterruptedException {
        Layout own = parts.layout();
        Layout others = exchange.layoutOfLeader();
        if (!own.equals(others)) {
            exchange.publishMismatch(
                    "rank %d has the buffer %s".formatted(state.initialRank(), own.difference(others)));
        }
        return new RestartAbort("the buffers %s differ from those of the others: %s. All ranks must ask for the same"
                .formatted(decision.reason(), exchange.mismatch()));
    }
}
