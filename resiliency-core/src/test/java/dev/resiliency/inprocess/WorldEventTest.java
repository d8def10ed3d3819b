package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.WorldEvent.Completed;
import dev.resiliency.inprocess.WorldEvent.Pausing;
import dev.resiliency.inprocess.WorldEvent.Replaced;
import dev.resiliency.inprocess.WorldEvent.ScaledDown;
import dev.resiliency.inprocess.WorldEvent.ScaledUp;
import dev.resiliency.inprocess.WorldEvent.Started;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events that listeners and functions receive, in jobs of threads. */
@Timeout(60)
class WorldEventTest {
    private static final IndexSet NONE = IndexSet.empty();
    private static final Elasticity PATIENT = Elasticity.defaults().replacementWait(Duration.ofSeconds(20));
    private static final Elasticity UP_TO_THREE =
            Elasticity.defaults().maxRanks(3).joinWait(Duration.ZERO);

    private final CountDownLatch never = new CountDownLatch(1);
    private final Seen ofRankZero = new Seen();
    private final Seen ofJoiner = new Seen();

    /** What one process has seen, in order. */
    private static final class Seen implements RestartListener {
        /** What its listener received. */
        private final List<WorldEvent> events = new CopyOnWriteArrayList<>();
        /** What each call of its function found. */
        private final List<WorldEvent> inCalls = new CopyOnWriteArrayList<>();

        @Override
        public void worldChanged(WorldEvent event) {
            events.add(event);
        }

        <R> RestartableFunction<R> watch(RestartableFunction<R> function) {
            return call -> {
                inCalls.add(call.lastEvent());
                return function.call(call);
            };
        }
    }

    /** Starts rank 0, which is observed, and rank 1. */
    private List<Future<@Nullable String>> startTwo(
            LocalJob job, Elasticity elasticity, RestartableFunction<String> function) {
        return List.of(
                job.start(
                        0,
                        settings -> settings.elasticity(elasticity).listener(ofRankZero),
                        ofRankZero.watch(function)),
                job.start(1, settings -> settings.elasticity(elasticity), function));
    }

    /** Starts a process that comes with the number of rank 1, which is taken. */
    private Future<@Nullable String> startJoiner(LocalJob job, RestartableFunction<String> function) {
        return job.startAnother(1, settings -> settings.listener(ofJoiner), ofJoiner.watch(function));
    }

    private static void await(List<Future<@Nullable String>> results) throws Exception {
        for (Future<@Nullable String> result : results) {
            result.get(20, TimeUnit.SECONDS);
        }
    }

    private static void assertEvents(List<WorldEvent> events, WorldEvent... expected) {
        assertThat(events)
                .usingRecursiveFieldByFieldElementComparator(RecursiveComparisonConfiguration.builder()
                        .withStrictTypeChecking(true)
                        .withIgnoredFields("time")
                        .build())
                .containsExactly(expected);
    }

    @Test
    void restartWithTheSameMembersOnlyPausesTheFunction() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            await(startTwo(job, Elasticity.defaults(), call -> {
                if (call.iteration() == 0) {
                    if (call.state().initialRank() == 1) {
                        throw new IllegalStateException("NaN");
                    }
                    never.await();
                }
                return "done";
            }));
        }

        assertEvents(ofRankZero.events, new Started(0, 2), new Pausing(0, 2), new Completed(1, 2));
        assertEvents(ofRankZero.inCalls, new Started(0, 2), new Started(0, 2));
    }

    @Test
    void joinerScalesUp() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            CountDownLatch running = new CountDownLatch(2);
            RestartableFunction<String> function = call -> {
                running.countDown();
                if (call.state().activeWorldSize() < 3) {
                    never.await();
                }
                return "done";
            };
            List<Future<@Nullable String>> founders = startTwo(job, UP_TO_THREE, function);
            running.await();
            Future<@Nullable String> joiner = startJoiner(job, function);
            await(founders);
            joiner.get(20, TimeUnit.SECONDS);
        }

        WorldEvent scaledUp = new ScaledUp(1, 2, 3, NONE, IndexSet.of(2));
        assertEvents(ofRankZero.events, new Started(0, 2), new Pausing(0, 2), scaledUp, new Completed(1, 3));
        assertEvents(ofRankZero.inCalls, new Started(0, 2), scaledUp);
        assertEvents(ofJoiner.events, new Started(1, 3), new Completed(1, 3));
        assertEvents(ofJoiner.inCalls, new Started(1, 3));
    }

    @Test
    void lossScalesDown() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            CountDownLatch running = new CountDownLatch(2);
            List<Future<@Nullable String>> founders =
                    startTwo(job, Elasticity.defaults(), call -> leaveFirst(running, call));
            founders.get(0).get(20, TimeUnit.SECONDS);
        }

        WorldEvent scaledDown = new ScaledDown(1, 2, 1, IndexSet.of(1), NONE);
        assertEvents(ofRankZero.events, new Started(0, 2), new Pausing(0, 2), scaledDown, new Completed(1, 1));
        assertEvents(ofRankZero.inCalls, new Started(0, 2), scaledDown);
    }

    @Test
    void joinerReplacesALostRank() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            CountDownLatch running = new CountDownLatch(2);
            RestartableFunction<String> function = call -> leaveFirst(running, call);
            List<Future<@Nullable String>> founders = startTwo(job, PATIENT, function);
            running.await();
            Future<@Nullable String> joiner = startJoiner(job, function);
            founders.get(0).get(20, TimeUnit.SECONDS);
            joiner.get(20, TimeUnit.SECONDS);
        }

        WorldEvent replaced = new Replaced(1, 2, IndexSet.of(1), IndexSet.of(2));
        assertEvents(ofRankZero.events, new Started(0, 2), new Pausing(0, 2), replaced, new Completed(1, 2));
        assertEvents(ofRankZero.inCalls, new Started(0, 2), replaced);
        assertEvents(ofJoiner.events, new Started(1, 2), new Completed(1, 2));
    }

    /** Lets rank 1 leave the job once all run, and the others complete when it has. */
    private String leaveFirst(CountDownLatch running, CallWrapper call) throws InterruptedException {
        running.countDown();
        if (call.state().initialRank() == 1) {
            running.await();
            throw new RestartAbort("no more data");
        }
        if (call.iteration() == 0) {
            never.await();
        }
        return "done";
    }
}
