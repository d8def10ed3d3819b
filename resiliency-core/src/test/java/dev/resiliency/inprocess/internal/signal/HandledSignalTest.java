package dev.resiliency.inprocess.internal.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends this process SIGWINCH, which has no effect where nothing handles it. */
@Timeout(60)
class HandledSignalTest {
    private static final JvmSignal SIGNAL = JvmSignal.of("WINCH");

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

    private String call() throws InterruptedException {
        return calls.poll(20, TimeUnit.SECONDS);
    }

    private static void raise() throws Exception {
        Class<?> signal = Class.forName("sun.misc.Signal");
        signal.getMethod("raise", signal)
                .invoke(null, signal.getConstructor(String.class).newInstance("WINCH"));
    }

    @Test
    void allWhoHandleASignalAreCalled() throws Exception {
        try (HandledSignal one = HandledSignal.begin(SIGNAL, () -> calls.add("one"));
                HandledSignal two = HandledSignal.begin(SIGNAL, () -> calls.add("two"))) {
            assertThat(one.isIgnored()).isFalse();
            assertThat(two.isIgnored()).isFalse();
            raise();

            assertThat(List.of(call(), call())).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void handlerFromBeforeIsBackWhenTheLastHasEnded() throws Exception {
        Object original = SIGNAL.install(JvmSignal.handler(() -> calls.add("before")));
        try {
            HandledSignal one = HandledSignal.begin(SIGNAL, () -> calls.add("one"));
            HandledSignal two = HandledSignal.begin(SIGNAL, () -> calls.add("two"));
            one.close();
            raise();
            assertThat(call()).isEqualTo("two");

            two.close();
            two.close();
            raise();

            assertThat(call()).isEqualTo("before");
        } finally {
            SIGNAL.install(original);
        }
    }

    @Test
    void namesMayHaveTheirPrefix() {
        assertThat(JvmSignal.of("TERM").name()).isEqualTo("SIGTERM");
        assertThat(JvmSignal.of("SIGTERM").name()).isEqualTo("SIGTERM");
        assertThat(JvmSignal.of("TERM").number()).isEqualTo(15);
    }

    @Test
    void unknownSignalIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JvmSignal.of("TEA"))
                .withMessageContaining("TEA");
    }
}
