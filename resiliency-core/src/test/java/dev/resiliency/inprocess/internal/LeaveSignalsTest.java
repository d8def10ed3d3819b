package dev.resiliency.inprocess.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.signal.JvmSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What signals do to a rank and its process. The signals are calls of the handler, unless a test sends one. */
@Timeout(60)
class LeaveSignalsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final JvmSignal TERM = JvmSignal.of("TERM");
    private static final JvmSignal HANGUP = JvmSignal.of("SIGHUP");

    private final List<Integer> exits = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private LeaveSignals signals(Duration limit) {
        return new LeaveSignals(Map.of(), limit, new LogPrefix(1, 2), exits::add);
    }

    private void connect(LeaveSignals signals) {
        signals.connect(
                new LogPrefix(1, 2), why -> events.add("leave " + why), why -> events.add("raise " + why.getMessage()));
    }

    /** A handler waits, so each has a thread of its own, as from the JVM: the common pool may have just one. */
    private static CompletableFuture<Void> send(LeaveSignals signals, JvmSignal signal, Duration grace) {
        return CompletableFuture.runAsync(
                () -> signals.receive(signal, grace), task -> new Thread(task, "signal").start());
    }

    private String event() throws InterruptedException {
        return events.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void firstSignalAsksTheRankToLeave() throws Exception {
        LeaveSignals signals = signals(LONG);
        connect(signals);

        CompletableFuture<Void> handler = send(signals, TERM, LONG);

        assertThat(event()).isEqualTo("leave SIGTERM");
        signals.close();
        handler.join();
        assertThat(events).isEmpty();
        assertThat(exits).isEmpty();
    }

    @Test
    void secondSignalEndsTheRankAndThenTheProcess() throws Exception {
        LeaveSignals signals = signals(LONG);
        connect(signals);
        CompletableFuture<Void> first = send(signals, TERM, LONG);
        assertThat(event()).isEqualTo("leave SIGTERM");

        CompletableFuture<Void> second = send(signals, HANGUP, LONG);

        assertThat(event()).isEqualTo("raise SIGHUP ends this process, so its rank left the job");
        assertThat(exits).isEmpty();
        signals.close();
        first.join();
        second.join();
        assertThat(exits).containsExactly(129);
    }

    @Test
    void endOfTheGraceEndsTheRankAndThenTheProcess() throws Exception {
        LeaveSignals signals = signals(LONG);
        connect(signals);

        CompletableFuture<Void> handler = send(signals, TERM, Duration.ZERO);

        assertThat(event()).isEqualTo("leave SIGTERM");
        assertThat(event()).startsWith("raise SIGTERM");
        signals.close();
        handler.join();
        assertThat(exits).containsExactly(143);
    }

    @Test
    void processEndsEvenIfItsRankDoesNot() throws Exception {
        LeaveSignals signals = signals(Duration.ZERO);
        connect(signals);

        send(signals, TERM, Duration.ZERO).join();

        assertThat(exits).containsExactly(143);
    }

    @Test
    void signalThatComesBeforeTheRankTakesPartReachesItThen() throws Exception {
        LeaveSignals signals = signals(LONG);
        CompletableFuture<Void> handler = send(signals, TERM, LONG);
        while (!signals.isAsked()) {
            Thread.onSpinWait();
        }

        connect(signals);

        assertThat(event()).isEqualTo("leave SIGTERM");
        signals.close();
        handler.join();
    }

    @Test
    void realSignalIsHandledWhileTheCallLasts() throws Exception {
        JvmSignal signal = JvmSignal.of("WINCH"); // without effect where nothing handles it
        Object original = signal.install(JvmSignal.handler(() -> events.add("as before")));
        try {
            LeaveSignals signals =
                    new LeaveSignals(Map.of("WINCH", LONG), LONG, new LogPrefix(1, 2), exits::add).begin();
            connect(signals);

            raise("WINCH");

            assertThat(event()).isEqualTo("leave SIGWINCH");
            signals.close();
            raise("WINCH");
            assertThat(event()).isEqualTo("as before");
        } finally {
            signal.install(original);
        }
    }

    @Test
    void signalOfTheJvmIsRefused() {
        LeaveSignals signals = new LeaveSignals(Map.of("QUIT", LONG), LONG, new LogPrefix(1, 2), exits::add);

        assertThatExceptionOfType(ResiliencyException.class)
                .isThrownBy(signals::begin)
                .withMessageContaining("the signal QUIT cannot be handled");
    }

    /** By reflection, as the compiler warns about the class. */
    private static void raise(String name) throws Exception {
        Class<?> signal = Class.forName("sun.misc.Signal");
        signal.getMethod("raise", signal)
                .invoke(null, signal.getConstructor(String.class).newInstance(name));
    }
}
