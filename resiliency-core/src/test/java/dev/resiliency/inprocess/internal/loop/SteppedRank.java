package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Completion;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Elasticity.Admission.Kind;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Finalize;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.Initialize;
import dev.resiliency.inprocess.Prepare;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.Succession;
import dev.resiliency.inprocess.internal.settings.Hooks;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.Silence;
import dev.resiliency.inprocess.internal.watch.Statement;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.watch.WhereItStands;
import dev.resiliency.inprocess.internal.worker.KeptObjects;
import dev.resiliency.inprocess.internal.worker.OncePrepared;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/** A rank whose restart loop is stepped by the test, and whose function follows the test's orders. */
final class SteppedRank {
    static final Duration LAST_CALL = Duration.ofMillis(10);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    static final Duration HARD_TIMEOUT = Duration.ofSeconds(90);
    static final Duration FIRST_STEP_TIMEOUT = Duration.ofMinutes(5);
    static final Statement HANG = new Statement(Standing.of(Activity.NONE), "made no progress for 60.0 s");

    final List<RestartReport> reports = new ArrayList<>();
    /** With which first step each iteration has begun, after which one. */
    final List<String> beginnings = new ArrayList<>();

    final List<State> iterations = new ArrayList<>();
    final List<WorldEvent> events = new ArrayList<>();
    final RestartLoop<String> loop;
    final FakeClock clock = new FakeClock();
    final Probation probation;
    /** What its monitor process and its agent would read. */
    volatile boolean ranOut;

    final Identity identity;
    private final InMemoryStore session;
    private final boolean pings;
    private final Waker waker = new Waker();
    /** When its loop has asked to be stepped, even if nothing wakes it. */
    private long due;

    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private volatile @Nullable CallWrapper call;

    SteppedRank(int rank, int worldSize, InMemoryStore session, Scenario scenario) {
        this(rank, worldSize, session, scenario, new Probation());
    }

    /** Creates the rank of a process that may have taken part in the job before. */
    SteppedRank(int rank, int worldSize, InMemoryStore session, Scenario scenario, Probation probation) {
        this(rank, worldSize, session, scenario, probation, null, null);
    }

    /**
     * Creates the rank of a process in a job that may outlive the host of its store.
     *
     * @param succession returns how it goes on then, once it is known who it is; null if the job ends with the store
     * @param host who hosts the store
     */
    SteppedRank(
            int rank,
            int worldSize,
            InMemoryStore session,
            Scenario scenario,
            Probation probation,
            @Nullable Function<Identity, Succession> succession,
            @Nullable StoreSeat host) {
        this.probation = probation;
        probation.begin();
        this.session = session;
        this.pings = scenario.pings;
        Environment environment = new Environment(rank, worldSize, rank, "in memory", 1);
        Timings timings = new Timings(
                scenario.monitorThreadInterval,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                HARD_TIMEOUT,
                FIRST_STEP_TIMEOUT,
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                scenario.completionTimeout,
                LAST_CALL,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
        RestartListener listener = new RestartListener() {
            @Override
            public void iterationStarted(State state) {
                iterations.add(state);
            }

            @Override
            public void restarted(RestartReport report) {
                reports.add(report);
            }

            @Override
            public void worldChanged(WorldEvent event) {
                events.add(event);
            }
        };
        Settings settings = new Settings(
                environment,
                (ignored, number) -> session,
                scenario.assignment,
                scenario.elasticity,
                new Hooks(
                        scenario.prepare == null ? null : new OncePrepared(scenario.prepare),
                        scenario.initialize,
                        null,
                        scenario.finish,
                        scenario.healthCheck,
                        scenario.completion,
                        null,
                        listener,
                        UnaryOperator.identity()),
                timings,
                false,
                null,
                null,
                false,
                false,
                null,
                Map.of());
        SessionStore reached = scenario.wayToStore.apply(session);
        SessionStore hosted = scenario.isHosted ? hosted(reached, environment) : reached;
        identity = Futures.resultOf(new Enrollment(
                                hosted,
                                rank,
                                worldSize,
                                environment.masterAddress(),
                                environment.masterPort(),
                                LIMIT,
                                scenario.elasticity.admission().kind() != Kind.NEVER,
                                OptionalInt.empty())
                        .enroll())
                .orElseThrow();
        RestartStore store = new RestartStore(hosted, identity, List.of(), host);
        loop = RestartLoop.start(
                settings,
                store,
                new UserCode<>(
                        settings.hooks(),
                        this::obey,
                        rank,
                        waker::wake,
                        hasRunOut -> ranOut = hasRunOut,
                        new KeptObjects()),
                clock,
                waker,
                Announcements.of(scenario.log, LogPrefix.of(environment), listener, toldToAgent()),
                probation,
                succession == null ? null : succession.apply(identity),
                scenario.follows,
                iteration -> {});
        session.onLost(loop::raise);
    }

    private Announcements.Agent toldToAgent() {
        return new Announcements.Agent() {
            @Override
            public void restarted(RestartReport report) {}

            @Override
            public void began(int iteration, long first, long before) {
                beginnings.add("%d after %d in iteration %d".formatted(first, before, iteration));
            }
        };
    }

    /** The session as one on a store that rank 0 hosts. */
    private static SessionStore hosted(SessionStore session, Environment environment) {
        return new ForwardingStore(session) {
            @Override
            public StoreAddress address() {
                return new StoreAddress(environment.masterAddress(), environment.masterPort(), "call-0");
            }
        };
    }

    /** The settings that differ from those of a plain job. */
    static final class Scenario {
        @Nullable
        Prepare prepare;

        @Nullable
        Initialize initialize;

        @Nullable
        Finalize finish;

        @Nullable
        HealthCheck healthCheck;

        @Nullable
        Completion completion;

        Logger log = NOPLogger.NOP_LOGGER;
        Duration monitorThreadInterval = Duration.ofSeconds(1);
        /** Lets the function ping, as training does. */
        boolean pings = true;

        Duration completionTimeout = Duration.ofMinutes(2);
        /** Whether rank 0 may host the store, so that the others wait for it. */
        boolean isHosted = true;

        /** Whether the agent of each rank says where it goes on when the store is lost. */
        boolean follows;

        /** Stands between each rank and the store. */
        UnaryOperator<SessionStore> wayToStore = session -> session;

        Elasticity elasticity = Elasticity.defaults();
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());
    }

    /** Steps its loop as its thread would: if something has woken it, or the time has come that it asked for. */
    void step() {
        try {
            if (waker.sleep(0) || clock.nanoTime() >= due) {
                long now = clock.nanoTime();
                long untilNext = loop.step();
                if (untilNext <= 0 && clock.nanoTime() == now) {
                    throw new AssertionError("the loop would spin in " + state());
                }
                due = clock.nanoTime() + untilNext;
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The next step of the function. */
    @FunctionalInterface
    interface Order {
        /** Returns the function's result; null to continue with the next order. */
        @Nullable
        String carryOut(CallWrapper call) throws Exception;
    }

    private @Nullable String obey(CallWrapper given) throws Exception {
        call = given;
        if (pings) {
            given.ping();
        }
        while (true) {
            String result = orders.take().carryOut(given);
            if (result != null) {
                return result;
            }
        }
    }

    /** Gives an order and waits until the function, which must be running, has begun to execute it. */
    void orderAndAwaitBegin(Order order) {
        CountDownLatch begun = new CountDownLatch(1);
        orders.add(given -> {
            begun.countDown();
            return order.carryOut(given);
        });
        try {
            begun.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Lets the function come to a step, and waits until it has passed it, or has stopped there.
     *
     * @return whether it has passed it
     */
    boolean orderStep(long step) {
        CompletableFuture<Boolean> passed = new CompletableFuture<>();
        orders.add(given -> {
            try {
                given.step(step);
            } catch (RestartSignal stopped) {
                passed.complete(false);
                throw stopped;
            }
            passed.complete(true);
            return null;
        });
        return passed.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    void orderReturn(String result) {
        orders.add(given -> result);
    }

    void orderThrow(Throwable throwable) {
        orders.add(given -> {
            if (throwable instanceof Error error) {
                throw error;
            }
            throw (Exception) throwable;
        });
    }

    /** Lets the watchdog report that the function has made no progress for so long, and where it stands. */
    void fallSilent(Duration silence, Activity activity, String place) {
        loop.supervision()
                .reportSilence(new Silence(
                        worker(),
                        "made no progress",
                        clock.nanoTime() - silence.toNanos(),
                        new WhereItStands(new Standing(activity, true, List.of(place)), "")));
    }

    /** Returns the thread on which the function runs. */
    Thread worker() {
        return Objects.requireNonNull(loop.supervision().watched()).thread();
    }

    LoopState state() {
        return loop.state();
    }

    /** Returns whether the function waits for an order, or has ended. */
    boolean isAtRest() {
        boolean isWithoutOrders = orders.isEmpty(); // before the state: it takes an order while it runs
        Supervision.Watched watched = loop.supervision().watched();
        Thread.State state =
                watched == null ? Thread.State.TERMINATED : watched.thread().getState();
        return state == Thread.State.TERMINATED || (state == Thread.State.WAITING && isWithoutOrders);
    }

    /** Returns whether the function runs. */
    boolean isCalled() {
        return call != null;
    }

    /**
     * Lets the function fill the rank's session with pending requests, so that the store rejects further ones that
     * wait.
     */
    List<CompletableFuture<?>> fillSession() {
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        while (waiting.isEmpty() || !waiting.get(waiting.size() - 1).isDone()) {
            waiting.add(session.submit(List.of(new Operation.Get("never")), HARD_TIMEOUT));
        }
        return waiting;
    }

    /** Ends the session as if the process had died; the loop must no longer be stepped. */
    void die() {
        session.abandon();
    }

    /** Ends the running threads and the session. */
    void end() {
        orderReturn("the test is over");
        Supervision.Watched watched = loop.supervision().watched();
        if (watched != null) {
            watched.thread().interrupt();
        }
        session.close();
    }
}
