package dev.resiliency.inprocess.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.HealthCheckException;
import dev.resiliency.inprocess.Prepare;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.settings.Hooks;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.store.spi.InMemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What runs of a user's code, in which order and on which thread, and what its failures become. */
@Timeout(60)
class UserCodeTest {
    private static final Hooks NONE = hooks(null, null);

    /** What has run, with its thread. */
    private final List<String> ran = new CopyOnWriteArrayList<>();

    private final Semaphore wakes = new Semaphore(0);

    private static Hooks hooks(@Nullable Prepare prepare, @Nullable HealthCheck check) {
        return new Hooks(
                prepare, null, null, null, check, null, null, new RestartListener() {}, UnaryOperator.identity());
    }

    private void note(String what) {
        ran.add(what + " on " + Thread.currentThread().getName());
    }

    private Hooks noting() {
        return new Hooks(
                () -> note("prepare"),
                state -> note("initialize"),
                state -> note("abort"),
                state -> note("finalize"),
                state -> note("check"),
                state -> note("complete"),
                state -> note("terminate"),
                new RestartListener() {},
                UnaryOperator.identity());
    }

    private UserCode<String> code(Hooks hooks) {
        return new UserCode<>(
                hooks,
                call -> {
                    note("function");
                    return "result";
                },
                3,
                wakes::release,
                isOutOfMemory -> {},
                new KeptObjects());
    }

    private static State state(State.Mode mode) {
        return new State(3, 4, 0, 1, mode, 0, 1, 7);
    }

    private static IterationCall call(State.Mode mode) {
        return new IterationCall(
                state(mode),
                new WorldEvent.Started(0, 1),
                InMemoryStore.create(),
                () -> CompletableFuture.completedFuture(true),
                new Waker(),
                reason -> {},
                new KeptObjects());
    }

    private static Worker.Ending<String> end(@Nullable Worker<String> worker) throws InterruptedException {
        Objects.requireNonNull(worker).thread().join();
        return Objects.requireNonNull(worker.ending());
    }

    private static @Nullable Throwable thrown(@Nullable Worker<String> worker) throws InterruptedException {
        return end(worker).thrown();
    }

    @Test
    void iterationOfAnActiveRankRunsItsHooksAndThenTheFunction() throws Exception {
        IterationCall call = call(State.Mode.ACTIVE);

        Worker.Ending<String> ending = end(code(noting()).startIteration(call, null));

        assertThat(ending).isEqualTo(new Worker.Ending<>("result", null));
        assertThat(ran)
                .containsExactly(
                        "prepare on resiliency-worker-r3-i7",
                        "initialize on resiliency-worker-r3-i7",
                        "check on resiliency-worker-r3-i7",
                        "function on resiliency-worker-r3-i7");
        assertThat(call.part()).isEqualTo("function");
        assertThat(wakes.availablePermits())
                .as("for the begin of the function and its end")
                .isEqualTo(2);
    }

    @Test
    void rankThatIsNotActiveOnlyGetsReady() throws Exception {
        IterationCall call = call(State.Mode.INACTIVE);

        assertThat(end(code(noting()).startIteration(call, null))).isEqualTo(new Worker.Ending<>(null, null));
        assertThat(ran).hasSize(3).noneMatch(line -> line.startsWith("function"));
        assertThat(call.part()).isEqualTo("health check");
        assertThat(wakes.availablePermits()).isOne();
    }

    @Test
    void functionNeedsNoHooks() throws Exception {
        assertThat(end(code(NONE).startIteration(call(State.Mode.ACTIVE), null)).result())
                .isEqualTo("result");
    }

    @Test
    void functionThatMemoryRunsOutForIsNoted() throws Exception {
        List<Boolean> noted = new CopyOnWriteArrayList<>();
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");
        UserCode<String> code = new UserCode<>(
                NONE,
                call -> {
                    throw full;
                },
                3,
                wakes::release,
                noted::add,
                new KeptObjects());

        assertThat(thrown(code.startIteration(call(State.Mode.ACTIVE), null))).isSameAs(full);
        assertThat(noted).as("not yet, then the error").containsExactly(false, true);
        code.noteOutOfMemory(new IllegalStateException("another one"));
        code.noteOutOfMemory(full);
        assertThat(noted).as("of the restart loop as well").containsExactly(false, true, true);
    }

    @Test
    void hooksBetweenTwoIterationsRunOnThreadsOfTheirOwn() throws Exception {
        UserCode<String> code = code(noting());
        State state = state(State.Mode.ACTIVE);
        assertThat(thrown(code.startPrepare())).isNull();
        assertThat(thrown(code.startFinalize(state))).isNull();
        assertThat(thrown(code.startHealthCheck(state))).isNull();
        assertThat(thrown(code.startCompletion(state))).isNull();
        assertThat(thrown(code.startTerminate(state))).isNull();

        assertThat(ran)
                .containsExactly(
                        "prepare on resiliency-prepare-r3",
                        "finalize on resiliency-finalize-r3-i7",
                        "check on resiliency-health-check-r3-i7",
                        "complete on resiliency-completion-r3-i7",
                        "terminate on resiliency-terminate-r3-i7");
    }

    @Test
    void prepareHookThatHasRunIsNotStartedAgain() throws Exception {
        UserCode<String> code = code(hooks(new OncePrepared(() -> {}), null));
        assertThat(thrown(code.startPrepare())).isNull();

        assertThat(code.startPrepare()).isNull();
    }

    @Test
    void nothingIsStartedForAHookThatThereIsNot() {
        UserCode<String> code = code(NONE);
        State state = state(State.Mode.ACTIVE);

        assertThat(code.startPrepare()).isNull();
        assertThat(code.startFinalize(state)).isNull();
        assertThat(code.startHealthCheck(state)).isNull();
        assertThat(code.startCompletion(state)).isNull();
        assertThat(code.startTerminate(state)).isNull();
    }

    private static void fail(Throwable with) throws Exception {
        if (with instanceof Error error) {
            throw error;
        }
        throw (Exception) with;
    }

    private Worker<String> failingPrepare(Throwable with) {
        return code(hooks(() -> fail(with), null)).startIteration(call(State.Mode.ACTIVE), null);
    }

    private Worker<String> failingCheck(Throwable with) {
        return code(hooks(null, state -> fail(with))).startIteration(call(State.Mode.ACTIVE), null);
    }

    private Worker<String> failingFinalize(Throwable with) {
        Hooks failing = new Hooks(
                null,
                null,
                null,
                state -> fail(with),
                null,
                null,
                null,
                new RestartListener() {},
                UnaryOperator.identity());
        return Objects.requireNonNull(code(failing).startFinalize(state(State.Mode.ACTIVE)));
    }

    static List<Throwable> failures() {
        return List.of(new IOException("no disk"), new IllegalStateException("no GPU"), new LinkageError("no library"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void rankWhoseHookFailsIsUnhealthy(Throwable failure) throws Exception {
        assertThat(thrown(failingPrepare(failure)))
                .isInstanceOf(HealthCheckException.class)
                .hasMessage("the prepare hook failed, so this rank leaves: " + failure)
                .hasCause(failure);
        assertThat(thrown(failingCheck(failure)))
                .isInstanceOf(HealthCheckException.class)
                .hasMessage("the health check failed on rank 3 in iteration 7, so the rank leaves: " + failure)
                .hasCause(failure);
        assertThat(thrown(failingFinalize(failure)))
                .isInstanceOf(HealthCheckException.class)
                .hasMessage("the finalize hook failed on rank 3 in iteration 7, so the rank leaves: " + failure)
                .hasCause(failure);
        assertThat(ran).as("the function does not run").isEmpty();
    }

    static List<Throwable> verdicts() {
        return List.of(new RestartAbort("no use"), new OutOfMemoryError("heap"));
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    void whatEndsTheRankForGoodPassesThroughEachHook(Throwable verdict) throws Exception {
        assertThat(thrown(failingPrepare(verdict))).isSameAs(verdict);
        assertThat(thrown(failingCheck(verdict))).isSameAs(verdict);
        assertThat(thrown(failingFinalize(verdict))).isSameAs(verdict);
    }

    static List<Throwable> stops() {
        return List.of(new InterruptedException(), new RestartSignal(7));
    }

    @ParameterizedTest
    @MethodSource("stops")
    void rankThatIsStoppedIsNotUnhealthy(Throwable stop) throws Exception {
        assertThat(thrown(failingPrepare(stop))).isSameAs(stop);
        assertThat(thrown(failingCheck(stop))).isSameAs(stop);
    }

    @Test
    void abortHookAndTheActionsOfTheFunctionUnblockAWorker() throws Exception {
        IterationCall call = call(State.Mode.ACTIVE);
        call.onAbort(() -> note("older"));
        call.onAbort(() -> note("newer"));

        AbortChain chain = code(noting()).startAborts(call, LogPrefix.of(Environment.single()), Clock.SYSTEM);
        wakes.acquire();

        assertThat(ran)
                .containsExactlyInAnyOrder(
                        "abort on resiliency-abort-r3-i7-0",
                        "newer on resiliency-abort-r3-i7-1",
                        "older on resiliency-abort-r3-i7-2");
        assertThat(chain.hadActions()).isTrue();
        assertThat(code(NONE)
                        .startAborts(call(State.Mode.ACTIVE), LogPrefix.of(Environment.single()), Clock.SYSTEM)
                        .hadActions())
                .isFalse();
    }

    @Test
    void threadsThatTheFunctionHasLeftAreNamed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        List<Thread> left = new ArrayList<>();
        UserCode<String> code = new UserCode<>(
                NONE,
                call -> {
                    for (String name : List.of("loader", "resiliency-own")) {
                        Thread thread = new Thread(
                                () -> {
                                    try {
                                        release.await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                },
                                name);
                        thread.start();
                        left.add(thread);
                    }
                    return null;
                },
                3,
                wakes::release,
                isOutOfMemory -> {},
                new KeptObjects());
        Worker<String> worker = code.startIteration(call(State.Mode.ACTIVE), null);
        assertThat(thrown(worker)).isNull();

        assertThat(code.leftThreads()).containsExactly("loader");
        release.countDown();
        for (Thread thread : left) {
            thread.join();
        }
        assertThat(code.leftThreads()).isEmpty();
    }

    @Test
    void whatTheFunctionKeepsIsKeptByTheCodeOfOneRank() {
        UserCode<String> code = code(NONE);

        assertThat(code.kept()).isSameAs(code.kept());
        assertThat(code(NONE).kept()).isNotSameAs(code.kept());
    }
}
