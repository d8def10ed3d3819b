package dev.resiliency.inprocess.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.ArgumentCaptor;
import org.slf4j.Logger;

class SafeLogTest {
    private final Logger provider = mock(Logger.class);
    private final Logger log = SafeLog.of(provider);

    @SuppressWarnings("serial")
    private static final class Failing extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @SuppressWarnings("serial")
    private static final class Blocking extends RuntimeException {
        @Override
        public String getMessage() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "never";
        }
    }

    private static Throwable deep() {
        Throwable thrown = new Exception("root");
        for (int i = 0; i < 20_000; i++) {
            thrown = new Exception("cause " + i, thrown);
        }
        return thrown;
    }

    /** Kinds, not throwables: JUnit would print these. */
    private enum Kind {
        FAILING,
        BLOCKING,
        DEEP;

        Throwable make() {
            return switch (this) {
                case FAILING -> new Failing();
                case BLOCKING -> new Blocking();
                case DEEP -> deep();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void throwableThatCannotBePrintedIsLoggedByTheNameOfItsClass(Kind kind) {
        Throwable thrown = kind.make();
        log.warn("failed", thrown);

        verify(provider)
                .warn(
                        eq("failed"),
                        argThat((Throwable printed) -> String.valueOf(printed.getMessage())
                                .startsWith(thrown.getClass().getName() + ", which cannot be printed")));
    }

    @ParameterizedTest
    @EnumSource
    void itsTextIsThatOrTheNameOfItsClass(Kind kind) {
        Throwable thrown = kind.make();
        assertThat(ThrownText.of(thrown)).startsWith(thrown.getClass().getName());
    }

    @Test
    void anyOtherIsLoggedAsItIs() {
        Throwable thrown = new IllegalStateException("loss is NaN");

        log.warn("failed", thrown);

        verify(provider).warn("failed", thrown);
    }

    @Test
    void longMessageIsCutAndTheFramesStay() {
        Throwable cause = new IllegalStateException("x".repeat(30_000));
        Throwable thrown = new IllegalArgumentException("loss is NaN", cause);

        log.warn("failed", thrown);

        ArgumentCaptor<Throwable> printed = ArgumentCaptor.forClass(Throwable.class);
        verify(provider).warn(eq("failed"), printed.capture());
        assertThat(printed.getValue())
                .hasMessage("java.lang.IllegalArgumentException: loss is NaN")
                .returns(thrown.getStackTrace(), Throwable::getStackTrace)
                .cause()
                .hasMessage("java.lang.IllegalStateException: " + "x".repeat(19_967) + "…")
                .returns(cause.getStackTrace(), Throwable::getStackTrace);
    }

    @Test
    void providerThatThrowsCostsTheLineOnly() {
        doThrow(new StackOverflowError()).when(provider).info(any(String.class));

        log.info("lost");

        verify(provider).info("lost");
    }

    @SuppressWarnings("serial")
    private static final class WithTextOfItsOwn extends RuntimeException {
        @Override
        public String getMessage() {
            return "step 7";
        }
    }

    @Test
    void interruptedThreadLearnsTheTextAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        String message = ThrownText.messageOf(new WithTextOfItsOwn());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(message).isEqualTo("step 7");
    }
}
