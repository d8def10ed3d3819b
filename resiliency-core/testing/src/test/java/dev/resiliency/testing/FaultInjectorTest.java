package dev.resiliency.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.Abortable;
import dev.resiliency.inprocess.State;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** The faults that a process survives; FailureTableIT has all of them. */
@Timeout(60)
class FaultInjectorTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(FaultInjector.class);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<Fault> announced = new ArrayList<>();
    private final CallWrapper call = callOf(2);

    private static CallWrapper callOf(int rank) {
        CallWrapper call = mock(CallWrapper.class);
        when(call.state()).thenReturn(new State(rank, 4, rank, 4, State.Mode.ACTIVE, rank, 4, 0));
        return call;
    }

    private FaultInjector injector(String... faults) {
        return new FaultInjector(List.of(faults).stream().map(Fault::parse).toList(), announced::add);
    }

    @BeforeEach
    void record() {
        log.start();
        LOGGER.setAdditive(false);
        LOGGER.addAppender(log);
    }

    @AfterEach
    void recordNoMore() {
        LOGGER.detachAppender(log);
        LOGGER.setAdditive(true);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void faultHappensAtItsStepAndOnlyOnce() throws Exception {
        FaultInjector injector = injector("exception:2@5");

        injector.stepStarts(call, 4);
        assertThat(announced).isEmpty();
        assertThatExceptionOfType(InjectedException.class)
                .isThrownBy(() -> injector.stepStarts(call, 5))
                .withMessage("injected: exception:2@5");
        assertThatNoException().isThrownBy(() -> injector.stepStarts(call, 5));
        assertThat(announced).containsExactly(Fault.parse("exception:2@5"));
    }

    @Test
    void faultIsLoggedBeforeItHappens() {
        FaultInjector injector = new FaultInjector(List.of(Fault.parse("error:2@5")), fault -> {
            throw new IllegalStateException("not yet");
        });

        assertThatIllegalStateFrom(injector);

        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage())
                    .isEqualTo("the fault error:2@5 is injected into rank 2 in iteration 0: the function throws"
                            + " an error");
        });
    }

    private void assertThatIllegalStateFrom(FaultInjector injector) {
        assertThatThrownBy(() -> injector.stepStarts(call, 5)).hasMessage("not yet");
    }

    @Test
    void faultsOfOtherRanksAreNotTaken() {
        assertThatNoException()
                .isThrownBy(() -> injector("kill:1@5", "exception:3@5").stepStarts(call, 5));
        assertThat(log.list).isEmpty();
    }

    @Test
    void delayedFaultHappensAtTheFirstStepAfterItsDelay() {
        Fault later = Fault.after(FaultKind.ERROR, 2, Duration.ofDays(1));
        Fault now = Fault.after(FaultKind.ERROR, 2, Duration.ZERO);
        FaultInjector injector = new FaultInjector(List.of(later, now));

        assertThatExceptionOfType(InjectedError.class)
                .isThrownBy(() -> injector.stepStarts(call, 1))
                .withMessage("injected: error:2@0s");
        assertThatNoException().isThrownBy(() -> injector.stepStarts(call, 2));
    }

    @Test
    void anotherThreadMakesTheFunctionThrow() {
        assertThatThrownBy(() -> injector("async-exception:2@5").stepStarts(call, 5))
                .isInstanceOf(InjectedException.class);
        Thread.interrupted(); // JVMTI may leave that behind
    }

    @ParameterizedTest
    @EnumSource(names = {"SLEEP_FOREVER", "STOP_PING"})
    void interruptEndsWhatWaits(FaultKind kind) {
        FaultInjector injector = injector(kind + ":2@5");
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> injector.stepStarts(call, 5));
    }

    @Test
    void deadlockFormsInAThreadThatIsInterruptedAsWell() {
        Thread victim = new Thread(() -> {
            Thread.currentThread().interrupt();
            try {
                injector("deadlock:2@5").stepStarts(call, 5);
            } catch (Exception ended) {
                throw new AssertionError(ended);
            }
        });
        victim.setDaemon(true);
        victim.start();

        await().atMost(Duration.ofSeconds(20))
                .until(() -> victim.getState() == Thread.State.BLOCKED
                        && victim.getStackTrace()[0].getMethodName().equals("deadlock"));
    }

    @Test
    void functionThatStopsPingingHasPinged() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> injector("stop-ping:2@5").stepStarts(call, 5))
                .isInstanceOf(InterruptedException.class);
        verify(call).ping();
    }

    @Test
    void abortActionEndsABlockedRead() throws Exception {
        CompletableFuture<Abortable> registered = new CompletableFuture<>();
        doAnswer(invocation -> registered.complete(invocation.getArgument(0)))
                .when(call)
                .onAbort(any());
        Thread abort = new Thread(() -> {
            try {
                registered.join().abort();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        abort.start();

        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> injector("blocked-read:2@5").stepStarts(call, 5));
        abort.join();
    }

    @Test
    void theVirtualMachineItselfThrowsTheOutOfMemoryError() {
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> injector("out-of-memory:2@5").stepStarts(call, 5))
                .withMessage("Java heap space");
    }

    @Test
    void rankWithoutAMonitorProcessCannotLoseIt() {
        assertThatThrownBy(() -> injector("kill-monitor:2@5").stepStarts(call, 5))
                .hasMessageStartingWith("this process has no monitor process of its own");
    }
}
