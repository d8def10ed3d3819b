package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.store.spi.InMemoryStore;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A job whose restart loops are all stepped by the thread of the test, with clocks that stand still. Only the functions
 * have threads of their own; the test never sleeps, it steps until its condition holds.
 */
final class SteppedJob implements AutoCloseable {
    /** Of processor time of the thread that steps: on a busy host the functions' threads come later, but so does it. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final InMemoryStore store = InMemoryStore.create();
    private final List<SteppedRank> alive = new ArrayList<>();
    private final List<SteppedRank> ranks = new ArrayList<>();
    private final int worldSize;
    private final Scenario scenario;

    SteppedJob(int worldSize) {
        this(worldSize, new Scenario());
    }

    SteppedJob(int worldSize, Scenario scenario) {
        this(worldSize, worldSize, scenario);
    }

    /** Creates a job to which only the first {@code coming} of its founders come. */
    SteppedJob(int worldSize, int coming, Scenario scenario) {
        this.worldSize = worldSize;
        this.scenario = scenario;
        for (int rank = 0; rank < coming; rank++) {
            ranks.add(new SteppedRank(rank, worldSize, store.newSession(), scenario));
        }
        alive.addAll(ranks);
    }

    InMemoryStore store() {
        return store;
    }

    SteppedRank rank(int rank) {
        return ranks.get(rank);
    }

    List<SteppedRank> ranks() {
        return ranks;
    }

    /** Lets a process come that its launcher started as this rank; returns what it is. */
    SteppedRank come(int rank) {
        SteppedRank newcomer = new SteppedRank(rank, worldSize, store.newSession(), scenario);
        ranks.add(newcomer);
        alive.add(newcomer);
        return newcomer;
    }

    /** Lets a process that has left come again, as this rank. */
    SteppedRank comeAgain(SteppedRank left, int rank) {
        SteppedRank newcomer = new SteppedRank(rank, worldSize, store.newSession(), scenario, left.probation);
        ranks.add(newcomer);
        alive.remove(left);
        alive.add(newcomer);
        return newcomer;
    }

    /** Steps all living ranks until these are in this state. */
    void until(LoopState state, SteppedRank... waited) {
        until(() -> Arrays.stream(waited).allMatch(rank -> rank.state() == state), state.toString());
    }

    /** Steps all living ranks until all have left; who leaves first interrupts those who have not seen yet that they must. */
    void untilAllHaveLeft() {
        until(
                () -> {
                    if (isAnyIn(LoopState.LAST_CALL)) {
                        passLastCall();
                    }
                    return alive.stream().allMatch(rank -> rank.state() == LoopState.CLOSED);
                },
                "all ranks to leave");
    }

    /** Steps all living ranks until all of them are in this state. */
    void untilAll(LoopState state) {
        until(state, alive.toArray(SteppedRank[]::new));
    }

    void until(BooleanSupplier condition, String what) {
        long deadline = THREADS.getCurrentThreadCpuTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (THREADS.getCurrentThreadCpuTime() > deadline) {
                throw new AssertionError("all steps were not enough for " + what + "; ranks are "
                        + ranks.stream().map(SteppedRank::state).toList());
            }
            stepAll();
            Thread.onSpinWait();
        }
    }

    /** Returns whether a living rank is in this state. */
    boolean isAnyIn(LoopState state) {
        return alive.stream().anyMatch(rank -> rank.state() == state);
    }

    /** Steps all living ranks once whose turn it is. */
    void stepAll() {
        alive.forEach(SteppedRank::step);
    }

    /** Steps all living ranks but one until they are in this state. */
    void untilAllBut(SteppedRank rank, LoopState state) {
        without(rank, () -> untilAll(state));
    }

    /** Does something while one rank is not stepped. */
    void without(SteppedRank rank, Runnable action) {
        alive.remove(rank);
        action.run();
        alive.add(rank);
    }

    /** Steps one rank alone until it is in this state. */
    void only(SteppedRank rank, LoopState state) {
        List<SteppedRank> others = new ArrayList<>(alive);
        alive.clear();
        alive.add(rank);
        until(state, rank);
        alive.clear();
        alive.addAll(others);
    }

    /** Lets the last call of all ranks pass. */
    void passLastCall() {
        pass(SteppedRank.LAST_CALL);
    }

    /** Lets time pass on all ranks. */
    void pass(Duration time) {
        ranks.forEach(rank -> rank.clock.advance(time));
    }

    /** Lets these ranks, which are running, ask about the next iteration. */
    void askAhead(SteppedRank... ranks) {
        for (SteppedRank rank : ranks) {
            rank.clock.advance(Duration.ofSeconds(1));
            rank.loop.step();
        }
    }

    /** Lets a rank fail, and lets the last call pass on all ranks. */
    void fail(SteppedRank rank) {
        rank.orderThrow(new IllegalStateException("NaN"));
        untilAll(LoopState.LAST_CALL);
        passLastCall();
    }

    /** Takes all living ranks, and those who wait to join, into the next iteration by a fault. */
    void restart() {
        until(
                () -> alive.stream()
                        .allMatch(rank -> rank.state() == LoopState.LAST_CALL || rank.state() == LoopState.JOINING),
                "the members to learn of the interruption");
        passLastCall();
        untilAll(LoopState.RUNNING);
    }

    /** Kills a rank: its session ends without a goodbye, and it is not stepped any more. */
    void kill(SteppedRank rank) {
        alive.remove(rank);
        rank.die();
    }

    /** Ends the running functions. */
    @Override
    public void close() {
        ranks.forEach(SteppedRank::end);
        store.close();
    }
}
