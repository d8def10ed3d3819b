package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * This agent as a voter on where the job lives: what it has accepted, and the way to another store when its own is lost. It lives as
 * long as the process. Confined to the thread of the agent, but for its vote.
 *
 * <p>Thread: {@code resiliency-election}, while the store is lost.
 */
public final class AgentVoter {
    private final String jobId;
    private final @Nullable StoreAddress server;
    private final Duration patience;
    /**
     * What this agent remembers for good; null before it has a vote. Written by the thread of the agent, and by that of an election
     * while one is held.
     */
    private volatile @Nullable Vote vote;

    private int arrival = -1;
    private Term term = Term.FIRST;
    private List<StoreSeat> successors = List.of();
    /** The copy of the job's keys that this agent keeps as a successor; null if it was none. */
    private @Nullable JobCopy copy;

    private @Nullable CompletableFuture<Founded> election;

    /**
     * Creates a voter that has no vote yet.
     *
     * @param server where this agent would host the store; null if it cannot
     * @param patience how long it waits for one successor
     */
    public AgentVoter(String jobId, @Nullable StoreAddress server, Duration patience) {
        this.jobId = jobId;
        this.server = server;
        this.patience = patience;
    }

    /** Returns how long to wait until the others have accepted what was decided, or a store is founded. */
    Duration limit() {
        return patience.multipliedBy(3);
    }

    /** Notes under which number this agent has arrived. */
    void arrive(int number) {
        arrival = number;
    }

    /** Returns the number under which this agent has arrived. */
    int arrival() {
        return arrival;
    }

    /** Returns where this agent would host the store; null if it cannot, or has not arrived. */
    @Nullable
    StoreSeat seat() {
        return server == null || arrival < 0 ? null : new StoreSeat(arrival, server.host(), server.port());
    }

    /** Returns whether this agent has accepted this world, or a later one. */
    boolean knows(AgentWorld world) {
        Vote given = vote;
        return given != null && given.accepted().iteration() >= world.number();
    }

    /**
     * Returns the world that this agent decides after another.
     *
     * @param before null for the first
     * @param seats where members would host the store, or do
     * @param address where it is now
     */
    AgentWorld next(
            @Nullable AgentWorld before, IndexSet members, Map<Integer, String> seats, @Nullable StoreAddress address) {
        int host = before != null ? term.host() : hostAt(address, seats);
        Term now = before != null ? term : new Term(0, host);
        List<StoreSeat> next = StoreSeat.successors(
                seats,
                members.minus(host < 0 ? IndexSet.empty() : IndexSet.of(host)),
                address == null ? "" : address.host());
        return before == null
                ? new AgentWorld(0, now, IndexSet.empty(), members, next)
                : new AgentWorld(before.number() + 1, now, before.members(), members, next);
    }

    private static int hostAt(@Nullable StoreAddress address, Map<Integer, String> seats) {
        return seats.values().stream()
                .flatMap(text -> StoreSeat.readAll(text).stream())
                .filter(seat -> address != null
                        && seat.port() == address.port()
                        && seat.host().equals(address.host()))
                .mapToInt(StoreSeat::rank)
                .findFirst()
                .orElse(-1);
    }

    /**
     * Accepts a world that follows the one that this agent knows to be agreed; one without a vote has it once that is agreed.
     *
     * @param session of the store, without a prefix
     */
    void accept(AgentWorld world, SessionStore session) {
        term = world.term();
        List<StoreSeat> next = new ArrayList<>(world.successors());
        successors.stream().filter(seat -> !next.contains(seat)).forEach(next::add);
        successors = next;
        StoreSeat own = seat();
        if (copy == null && own != null && world.successors().contains(own)) {
            copy = JobCopy.begin(session, jobId);
        }
        Vote given = vote;
        if (given != null) {
            vote = given.accept(known(world));
        }
    }

    /** Learns that a world that it has accepted is agreed. */
    void agree(AgentWorld world) {
        successors = world.successors();
        Vote given = vote;
        vote = given == null ? Vote.first(known(world)) : given.agree();
    }

    /** Accepts that the job is complete. */
    void complete() {
        Vote given = vote;
        if (given != null) {
            vote = given.complete();
        }
    }

    private static KnownWorld known(AgentWorld world) {
        return new KnownWorld(world.term(), world.number(), world.members(), world.text());
    }

    /**
     * Gives up the store, and gives the vote of this agent for another one.
     *
     * @param dial connects to a successor
     * @param iteration in which the ranks of this node are, or were last; -1 if they have none
     * @return false if this agent has no vote, or nobody could host the store
     */
    public boolean loseStore(Election.Dial dial, int iteration) {
        Vote given = vote;
        if (election != null) {
            return true;
        }
        if (given == null || successors.isEmpty()) {
            return false;
        }
        CompletableFuture<Founded> result = new CompletableFuture<>();
        StoreSeat own = seat();
        NodesJob job = new NodesJob(jobId, arrival, own, given, copy, iteration);
        List<StoreSeat> all = successors;
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(Election.hold(
                                new Election.Voting(job, own, patience, limit()),
                                dial,
                                given,
                                all,
                                enrolled -> vote = enrolled));
                    } catch (Throwable failure) {
                        result.completeExceptionally(failure);
                    }
                },
                "resiliency-election");
        thread.setDaemon(true);
        thread.start();
        election = result;
        return true;
    }

    /** Returns the election that is held, or was last; null if none was. */
    public @Nullable CompletableFuture<Founded> election() {
        return election;
    }

    /** Goes on with the store that is founded; one that has missed the world of that keeps the successors that it knows. */
    public void move(Founded founded) {
        Vote given = vote;
        if (given == null) {
            throw new IllegalStateException("this agent has no vote");
        }
        election = null;
        copy = null;
        term = founded.term();
        Vote back = given.goBack(founded.base(), founded.isComplete());
        vote = back;
        String world = back.agreed().text();
        successors = world.isEmpty() ? successors : AgentWorld.read(world).successors();
    }
}
