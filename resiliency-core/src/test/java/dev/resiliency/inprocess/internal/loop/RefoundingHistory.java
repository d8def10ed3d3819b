package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.inprocess.internal.protocol.FoundedStore;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.RanksJob;
import dev.resiliency.inprocess.internal.refound.Succession;
import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.Election.SeatGoneException;
import dev.resiliency.inprocess.spi.refound.Election.Voting;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One history of a job that outlives the host of its store, the same for the same seed: processes, with or without their
 * monitor processes, die, are suspended, go on, are cut off, suspect each other, leave and join, at any step of any of them.
 * Then the faults end, and all functions return.
 */
final class RefoundingHistory implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int STEPS = 400;
    private static final int ROUNDS = 4_000;
    private static final int MOST_PROCESSES = 8;
    /** A stage may also wait for time to pass. */
    private static final int MOST_YIELDS = 50_000;

    private final Random random;
    private final Rule broken;
    private final int size;
    private final List<RankProcess> processes = new ArrayList<>();
    private final List<SteppedLink> links = new ArrayList<>();
    /** What happened, for whoever looks into a violation. */
    final List<String> log = new ArrayList<>();
    /** By iteration. */
    private final Map<Integer, KnownWorld> agreed = new TreeMap<>();
    /** The world that is complete; null before. */
    private @Nullable KnownWorld complete;

    private int faults;
    int foundations;
    int completions;
    /** How many have given up as there was no store. */
    int lost;
    /** How many of these when somebody knew that the job was complete. */
    int lostThoughComplete;

    /** Thrown when a rule of the model does not hold. */
    static final class Violation extends AssertionError {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what);
        }
    }

    RefoundingHistory(long seed, Rule broken) {
        this.random = new Random(seed * 7_919);
        this.broken = broken;
        this.size = 2 + random.nextInt(4);
    }

    /** Runs it. @throws Violation if a rule of the model does not hold */
    void run() {
        for (int rank = 0; rank < size; rank++) {
            processes.add(new RankProcess());
        }
        RankProcess host = processes.get(0);
        for (int rank = 0; rank < size; rank++) {
            processes.get(rank).enroll(host, rank);
        }
        while (!processes.stream().allMatch(process -> process.rank().state() == LoopState.RUNNING)) {
            passRound();
        }
        faults = 1 + random.nextInt(5);
        boolean isShort = random.nextBoolean();
        processes.forEach(process -> process.isReturning = isShort);
        for (int step = 0; step < STEPS; step++) {
            doSomething();
        }
        endFaults();
        for (int round = 0; !processes.stream().allMatch(RankProcess::isOver); round++) {
            if (round == ROUNDS) {
                throw new AssertionError("some neither end nor go on: " + processes);
            }
            processes.forEach(RankProcess::comeBack);
            passRound();
        }
    }

    private void endFaults() {
        faults = 0;
        for (RankProcess process : processes) {
            process.isSuspended = false;
            process.isCutOff = false;
            process.isReturning = true;
            note("%s goes on", process);
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // an annotation that is not on the class path
    private void note(String what, Object... details) {
        log.add(what.formatted(details));
    }

    private <T> T any(List<T> choice) {
        return choice.get(random.nextInt(choice.size()));
    }

    /** Lets everybody go a step, and all that is on its way arrive. */
    private void passRound() {
        List.copyOf(processes).forEach(RankProcess::step);
        List.copyOf(links).forEach(link -> {
            while (link.mayDeliverRequest()) {
                link.deliverRequest();
            }
            while (link.mayDeliverAnswer()) {
                link.deliverAnswer();
            }
        });
        processes.forEach(process -> process.pass(Duration.ofMillis(500)));
        processes.forEach(RankProcess::learn);
    }

    private void doSomething() {
        if (faults > 0 && random.nextInt(isAnyInDoubt() ? 12 : 60) == 0) {
            faults--;
            doHarm();
        }
        RankProcess process = any(processes);
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> {
                process.pass(Duration.ofMillis(random.nextInt(20)));
                process.step();
            }
            case 4 -> process.pass(Duration.ofMillis(random.nextInt(20) == 0 ? 15_000 : 200));
            case 5 -> process.learn();
            case 6 -> process.comeBack();
            default -> deliver();
        }
    }

    /** Returns whether somebody has accepted what may not be agreed. */
    private boolean isAnyInDoubt() {
        return processes.stream()
                .map(process -> process.rank().state())
                .anyMatch(state -> state == LoopState.AGREEING || state == LoopState.ACKNOWLEDGING);
    }

    private void deliver() {
        links.removeIf(SteppedLink::isIdle);
        List<SteppedLink> busy = links.stream()
                .filter(link -> link.mayDeliverRequest() || link.mayDeliverAnswer())
                .toList();
        if (busy.isEmpty()) {
            return;
        }
        SteppedLink link = any(busy);
        if (link.mayDeliverAnswer() && (random.nextBoolean() || !link.mayDeliverRequest())) {
            link.deliverAnswer();
        } else {
            link.deliverRequest();
        }
    }

    private void doHarm() {
        // Often the host, as that is what this is about.
        List<RankProcess> hosts = processes.stream().filter(RankProcess::hosts).toList();
        RankProcess victim = !hosts.isEmpty() && random.nextBoolean() ? any(hosts) : any(processes);
        if (victim.hasEnded) {
            return;
        }
        switch (random.nextInt(10)) {
            case 0 -> victim.die(true);
            case 1 -> victim.die(false);
            case 2 -> victim.isSuspended = !victim.isSuspended;
            case 3, 4 -> victim.isCutOff = !victim.isCutOff;
            case 5 -> victim.suspectsHost = true;
            case 6, 7 -> victim.orderThrow(new IllegalStateException("NaN"));
            case 8 -> victim.orderThrow(new RestartAbort("enough"));
            default -> {
                RankProcess host = any(processes);
                if (host.hosts() && host.isReachable() && processes.size() < MOST_PROCESSES) {
                    RankProcess joiner = new RankProcess();
                    processes.add(joiner);
                    if (!joiner.join(host)) {
                        processes.remove(joiner);
                    }
                }
            }
        }
        note("harm: %s", victim);
    }

    private void agree(KnownWorld world) {
        KnownWorld other = agreed.putIfAbsent(world.iteration(), world);
        if (other != null && !other.term().equals(world.term())) {
            throw new Violation("two worlds are agreed after the same one: %s and %s".formatted(other, world));
        }
        checkCompletion();
    }

    private void complete(KnownWorld world) {
        if (complete != null && !isSame(complete, world)) {
            throw new Violation("two worlds are complete: %s and %s".formatted(complete, world));
        }
        complete = world;
        agree(world);
    }

    private static boolean isSame(KnownWorld one, KnownWorld other) {
        return one.iteration() == other.iteration() && one.term().equals(other.term());
    }

    private void checkCompletion() {
        KnownWorld last = complete;
        agreed.forEach((iteration, world) -> {
            if (last != null && iteration > last.iteration()) {
                throw new Violation("%s is complete, but others have gone on to %s".formatted(last, world));
            }
        });
    }

    @Override
    public void close() {
        processes.forEach(RankProcess::close);
    }

    /** A process and its monitor process on one host, with the server on which it would be the store. */
    private final class RankProcess implements Succession {
        private final int number = processes.size();
        private final InMemoryStore server = InMemoryStore.create();
        private final Probation probation = new Probation();
        private boolean hasServer = true;
        private boolean isSuspended;
        private boolean isCutOff;
        private boolean suspectsHost;
        private boolean isReturning;
        /** Whether its process has died, or its call has ended. */
        private boolean hasEnded;

        private boolean hasMonitor = true;
        private @Nullable SteppedRank rank;
        private @Nullable SteppedLink link;
        private @Nullable Identity identity;
        private RankProcess store = this;
        private @Nullable Vote vote;
        private List<StoreSeat> successors = List.of();
        private @Nullable Election election;
        private @Nullable CompletableFuture<Moved> moving;
        private @Nullable Founded founded;
        private @Nullable CompletableFuture<Boolean> roundTrip;
        private @Nullable SteppedLink monitorLink;
        private final Waker waker = new Waker();
        private final FakeClock clock = new FakeClock();
        private final List<SteppedLink> own = new ArrayList<>();
        private long founding;

        SteppedRank rank() {
            if (rank == null) {
                throw new IllegalStateException("it has not come");
            }
            return rank;
        }

        boolean hosts() {
            return hasServer && processes.stream().anyMatch(each -> each.store == this && !each.isOver());
        }

        boolean isReachable() {
            return hasServer && !isSuspended && !isCutOff;
        }

        boolean isOver() {
            return hasEnded && !hasMonitor && (!rank().loop.comesAgain() || !hasServer);
        }

        private SteppedLink linkTo(RankProcess host) {
            SteppedLink opened = new SteppedLink(
                    host.server.newSession(),
                    clock,
                    () -> host.hasServer && !host.isSuspended && (host == this || (!isCutOff && !host.isCutOff)),
                    () -> !isSuspended,
                    operations -> broken.distort(operations, facts(host)));
            links.add(opened);
            own.add(opened);
            return opened;
        }

        /** Comes to a store, as a founder or as a joiner. */
        void enroll(RankProcess host, int number) {
            SteppedLink opened = linkTo(host);
            StoreSeat hostNow = host.identity == null ? new StoreSeat(0, "h0", 0) : host.seat();
            Scenario scenario = new Scenario();
            scenario.wayToStore = ignored -> new PrefixStore("job", opened);
            scenario.isHosted = host.identity == null || host.holds("0/job");
            link = opened;
            store = host;
            vote = null;
            opened.atOnce(() -> rank = new SteppedRank(
                    number,
                    size,
                    InMemoryStore.create(),
                    scenario,
                    probation,
                    who -> {
                        identity = who;
                        return this;
                    },
                    hostNow));
            opened.onLost(reason -> raiseIfCurrent(opened, reason));
        }

        private void raiseIfCurrent(SteppedLink of, StoreException reason) {
            if (link == of) {
                rank().loop.raise(reason);
            }
        }

        void orderThrow(Throwable fault) {
            if (rank().state() == LoopState.RUNNING) {
                rank().orderThrow(fault);
                settle();
            }
        }

        void pass(Duration time) {
            if (!isSuspended) {
                clock.advance(time);
                rank().clock.advance(time);
                own.forEach(SteppedLink::passLimits);
            }
        }

        void step() {
            if (isSuspended) {
                return;
            }
            if (hasEnded) {
                stepMonitor();
                return;
            }
            SteppedRank stepped = rank();
            if (isReturning && stepped.state() == LoopState.RUNNING && stepped.isAtRest()) {
                stepped.orderReturn("done");
            }
            stepElection();
            settle();
            stepped.loop.step();
            settle();
            lookAtEnd(stepped);
        }

        /** Waits for threads of the function, which the history does not order. */
        @SuppressWarnings("ThreadPriorityCheck") // it waits for a thread that is about to wait or to end
        private void settle() {
            SteppedRank stepped = rank();
            for (int yields = 0; yields < MOST_YIELDS; yields++) {
                switch (stepped.state()) {
                    case ABORTING, STOPPING, FINALIZING, CHECKING_HEALTH -> stepped.loop.step();
                    case RUNNING -> {
                        if (stepped.isAtRest()) {
                            return;
                        }
                    }
                    default -> {
                        return;
                    }
                }
                Thread.yield();
            }
        }

        private void lookAtEnd(SteppedRank stepped) {
            LoopState state = stepped.state();
            boolean isComplete = state == LoopState.FINISHING
                    || state == LoopState.PARTING
                    || (state == LoopState.CLOSED && stepped.loop.result() != null);
            if (isComplete && vote != null) {
                RefoundingHistory.this.complete(vote.accepted());
            }
            if (state != LoopState.CLOSED) {
                return;
            }
            hasEnded = true;
            Throwable why = stepped.loop.departure();
            note("%s ends: %s", this, String.valueOf(why));
            lost += why instanceof StoreLostException ? 1 : 0;
            lostThoughComplete += why instanceof StoreLostException && complete != null ? 1 : 0;
            completions += stepped.loop.result() == null ? 0 : 1;
            hasMonitor = false;
            if (link != null && stepped.loop.isEndKnown()) {
                link.close();
            }
            own.forEach(SteppedLink::abandon);
        }

        /** Comes again, where its loop says. */
        void comeBack() {
            if (!hasEnded
                    || hasMonitor
                    || isSuspended
                    || !hasServer
                    || !rank().loop.comesAgain()) {
                return;
            }
            List<StoreSeat> seats = rank().loop.elsewhere();
            List<RankProcess> hosts = seats.isEmpty()
                    ? List.of(store)
                    : seats.stream().map(each -> processes.get(each.port())).toList();
            boolean isAnyLeft = false;
            for (RankProcess host : hosts) {
                isAnyLeft |= host.hasServer;
                if (host.isReachable() && !isCutOff && host.holds("generation")) {
                    rank().end();
                    hasEnded = !join(host);
                    hasMonitor = !hasEnded;
                    hasServer = !hasEnded;
                    return;
                }
            }
            if (!isAnyLeft || processes.stream().allMatch(each -> each == this || each.hasEnded)) {
                hasServer = false; // it does not find the job
            }
        }

        /** Joins there; returns whether that takes it. */
        boolean join(RankProcess host) {
            try {
                enroll(host, (identity == null ? number : identity.rank()) % size);
                note("%s waits to join %s", this, host);
                return true;
            } catch (RuntimeException refused) {
                note("%s cannot join %s: %s", this, host, refused);
                return false;
            }
        }

        private boolean holds(String key) {
            try {
                return server.check(List.of("job/" + key));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** Dies, with its host or alone. */
        void die(boolean withHost) {
            if (hasEnded) {
                return;
            }
            hasEnded = true;
            hasServer = false;
            hasMonitor = !withHost && vote != null;
            note("%s dies%s", this, withHost ? " with its host" : "");
            election = null;
            own.forEach(SteppedLink::abandon);
            rank().end();
        }

        /** Learns what others know already, and others that this one is gone, or silent. */
        void learn() {
            own.removeIf(SteppedLink::isIdle);
            for (SteppedLink each : List.copyOf(own)) {
                if (each.isToExpire() || (!each.reaches() && isCutOff) || isSuspended) {
                    each.expire();
                }
                if (!isSuspended && (suspectsHost || each.hasExpired() || !each.reaches())) {
                    each.lose();
                }
            }
            suspectsHost = false;
            if (hasEnded
                    && hasServer
                    && !rank().loop.comesAgain()
                    && (!hosts() || (faults > 0 && random.nextInt(4) == 0))) {
                hasServer = false;
            }
            if (hasServer && founding > 0 && !isSuspended && clock.nanoTime() > founding && founded != null) {
                founding = 0;
                terminateMissing(founded);
            }
        }

        private void terminateMissing(Founded by) {
            PrefixStore here = new PrefixStore("job", server);
            try {
                IndexSet missing = new Founded(server, by.seat(), by.term(), by.base(), by.isComplete(), true)
                        .missing(new RanksJob(who(), "job", null));
                if (!missing.isEmpty()) {
                    new FoundedStore(here, who()).terminate(by.base().iteration(), missing, Instant.EPOCH);
                    note("%s declares %s dead", this, missing);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private void stepElection() {
            Election held = election;
            if (held == null || moving == null) {
                return;
            }
            try {
                Founded found = held.step();
                if (found != null) {
                    election = null;
                    founded = found;
                    note("%s follows %s from %s", this, found.term(), found.base());
                    moving.complete(new Moved(found, storeOf(found)));
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } catch (StoreException none) {
                election = null;
                moving.completeExceptionally(none);
            }
        }

        private RestartStore storeOf(Founded found) {
            RanksJob job = new RanksJob(who(), "job", null);
            return new RestartStore(job.in(found.session()), job.identity(found.term()), List.of(), found.seat());
        }

        @Override
        public StoreSeat seat() {
            return new StoreSeat(identity == null ? number : identity.rank(), "h" + number, number);
        }

        @Override
        public void remember(Vote changed, List<StoreSeat> next) {
            vote = changed;
            successors = next;
            agree(changed.agreed());
        }

        @Override
        public CompletableFuture<Moved> begin(Vote given, List<StoreSeat> next) {
            note("%s is adrift: %s", this, given.withoutTexts());
            moving = new CompletableFuture<>();
            election = election(given, next, false);
            return moving;
        }

        private Interruption death(int rank) {
            return new Interruption(rank, Interruption.Kind.TERMINATED, clock.now(), "it has died");
        }

        private Identity who() {
            return identity == null ? rank().identity : identity;
        }

        private Election election(Vote given, List<StoreSeat> next, boolean isDead) {
            Identity who = who();
            return new Election(
                    new Voting(
                            new RanksJob(who, "job", isDead ? death(who.rank()) : null),
                            isDead ? null : seat(),
                            PATIENCE,
                            LIMIT),
                    this::dial,
                    clock,
                    waker,
                    given,
                    next.stream()
                            .filter(each -> !isDead || each.rank() != who.rank())
                            .toList(),
                    changed -> {
                        vote = changed;
                        broken.enrolled(
                                new RestartStore(new PrefixStore("job", store.server), who, List.of()).member());
                    });
        }

        private SessionStore dial(StoreSeat there) {
            RankProcess host = processes.get(there.port());
            if (!host.hasServer) {
                throw new SeatGoneException(there, null);
            }
            if (host != this && (isCutOff || host.isCutOff || host.isSuspended)) {
                throw new StoreException("out of reach");
            }
            return linkTo(host);
        }

        @Override
        public void move(Moved moved) {
            SteppedLink old = link;
            SteppedLink now = (SteppedLink) moved.founded().session();
            link = now;
            if (old != null) {
                old.abandon();
            }
            identity = moved.store().identity();
            store = processes.get(moved.founded().seat().port());
            now.onLost(reason -> raiseIfCurrent(now, reason));
            if (now.isOver()) {
                rank().loop.raise(new StoreLostException("host:4000", "lost at once", null));
            }
            if (store == this) {
                foundations++;
                founding = clock.nanoTime() + PATIENCE.toNanos();
            }
            agree(moved.founded().base());
        }

        /** Cedes, or votes, for the process that has died. */
        private void stepMonitor() {
            Vote given = vote;
            if (!hasMonitor || given == null) {
                return;
            }
            if (election == null && roundTrip == null) {
                if (store == this || given.ceded() || link == null) {
                    election = election(given, successors, true);
                    return;
                }
                Identity who = identity == null ? rank().identity : identity;
                SteppedLink opened = linkTo(store);
                monitorLink = opened;
                RestartStore view = new RestartStore(new PrefixStore("job", opened), who, List.of());
                roundTrip = view.member().isMember().thenApply(isMember -> {
                    vote = given.cede();
                    view.member().cede();
                    note("%s has ceded", this);
                    return isMember;
                });
                return;
            }
            if (election == null && roundTrip != null && roundTrip.isDone()) {
                if (roundTrip.isCompletedExceptionally() || (monitorLink != null && monitorLink.isOver())) {
                    election = election(given, successors, true);
                } else if (faults == 0) {
                    hasMonitor = false;
                }
                return;
            }
            stepElectionOfDead();
        }

        private void stepElectionOfDead() {
            Election held = election;
            if (held == null) {
                return;
            }
            try {
                if (held.step() != null) {
                    hasMonitor = false;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } catch (RuntimeException none) {
                hasMonitor = false;
            }
        }

        void close() {
            rank().end();
            server.close();
        }

        @Override
        public String toString() {
            return "%d%s %s%s%s%s"
                    .formatted(
                            identity == null ? -1 : identity.rank(),
                            identity == null ? "" : "@" + identity.generation().number(),
                            rank == null ? "" : rank.state(),
                            hasEnded ? " ended" : "",
                            isSuspended ? " suspended" : "",
                            isCutOff ? " cut off" : "");
        }
    }

    private Rule.Facts facts(RankProcess host) {
        return new Rule.Facts(
                host.vote,
                IndexSet.of(processes.stream()
                        .filter(each -> each.hasEnded && !each.hasMonitor && each.identity != null)
                        .mapToInt(each -> each.identity.rank())
                        .distinct()
                        .sorted()
                        .toArray()));
    }
}
