package dev.resiliency.inprocess.spi.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StandingTest {

    private static StackTraceElement frame(String method) {
        int dot = method.lastIndexOf('.');
        boolean isNative = method.endsWith("!");
        return new StackTraceElement(
                method.substring(0, dot), method.substring(dot + 1).replace("!", ""), "Source.java", isNative ? -2 : 7);
    }

    private static Standing standing(Thread.State state, String methods) {
        return Standing.of(
                state,
                Stream.of(methods.split(" < ", -1)).map(StandingTest::frame).toArray(StackTraceElement[]::new));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource({
        // A blocking socket of JDK 17 to 25, a channel, a selector, TLS, and Netty.
        "SOCKET, RUNNABLE, sun.nio.ch.SocketDispatcher.read0! < sun.nio.ch.NioSocketImpl.read < java.net.Socket$SocketInputStream.read < Ring.read",
        "SOCKET, RUNNABLE, sun.nio.ch.Net.poll! < sun.nio.ch.NioSocketImpl.park < java.net.ServerSocket.accept < Ring.connect",
        "SOCKET, RUNNABLE, sun.nio.ch.SocketDispatcher.read0! < sun.nio.ch.SocketChannelImpl.read < Ring.read",
        "SOCKET, RUNNABLE, sun.nio.ch.EPoll.wait! < sun.nio.ch.EPollSelectorImpl.doSelect < sun.nio.ch.SelectorImpl.select < Ring.poll",
        "SOCKET, RUNNABLE, sun.nio.ch.Net.poll! < sun.nio.ch.NioSocketImpl.park < sun.security.ssl.SSLSocketImpl.read < Ring.read",
        "STORE, TIMED_WAITING, jdk.internal.misc.Unsafe.park! < java.util.concurrent.CompletableFuture.get < dev.resiliency.store.tcp.TcpStore.get < LogReg.train",
        "THREAD, WAITING, jdk.internal.misc.Unsafe.park! < java.util.concurrent.locks.LockSupport.park < java.util.concurrent.ArrayBlockingQueue.take < Loader.next",
        "THREAD, WAITING, java.lang.Object.wait0! < java.lang.Object.wait < Loader.next",
        "THREAD, WAITING, java.lang.Object.wait! < java.lang.Thread.join < Loader.end",
        "LOCK, BLOCKED, LogReg.lambda$fault$0 < LogReg.fault",
        "SLEEP, TIMED_WAITING, java.lang.Thread.sleep! < LogReg.fault",
        "SLEEP, TIMED_WAITING, java.lang.Thread.sleepNanos0! < java.lang.Thread.sleepNanos < java.lang.Thread.sleep < LogReg.fault",
        "NONE, RUNNABLE, LogReg.sigmoid < LogReg.gradient",
        "NONE, RUNNABLE, java.util.HashMap.get < LogReg.gradient",
        "NONE, RUNNABLE, sun.nio.ch.FileDispatcherImpl.read0! < sun.nio.ch.FileChannelImpl.read < LogReg.load",
        "NATIVE, RUNNABLE, com.acme.Blas.gemm! < LogReg.gradient",
        "NATIVE, RUNNABLE, org.bytedeco.pytorch.Tensor.backward! < LogReg.gradient",
        // What the program does further out says nothing of where it is now.
        "NONE, RUNNABLE, LogReg.callback < java.lang.Thread.sleep < LogReg.train",
    })
    void stackSaysWhatTheThreadDoes(Activity activity, Thread.State state, String methods) {
        assertThat(standing(state, methods).activity()).isEqualTo(activity);
    }

    @Test
    void framesOfTheJdkAreSkippedAfterTheFirst() {
        assertThat(standing(
                                Thread.State.WAITING,
                                "jdk.internal.misc.Unsafe.park! < java.util.concurrent.locks.LockSupport.park < Loader.next < LogReg.train")
                        .frames())
                .containsExactly(
                        "jdk.internal.misc.Unsafe.park(Native Method)",
                        "Loader.next(Source.java:7)",
                        "LogReg.train(Source.java:7)");
    }

    @Test
    void textSaysHowLongWhatAndWhereAndInShortTheFrameOfTheProgram() {
        Standing standing =
                standing(Thread.State.TIMED_WAITING, "java.lang.Thread.sleep! < LogReg.fault < LogReg.train");

        String text = standing.text("made no progress for 6.0 s", ", 212 pings");

        assertThat(text)
                .isEqualTo("made no progress for 6.0 s, sleeps, 212 pings, at [java.lang.Thread.sleep(Native Method),"
                        + " LogReg.fault(Source.java:7), LogReg.train(Source.java:7)]");
        assertThat(Standing.brief(text)).isEqualTo("made no progress for 6.0 s, sleeps, 212 pings, at LogReg.fault:7");
        assertThat(Standing.brief("loss is NaN")).isEqualTo("loss is NaN");
    }

    @ParameterizedTest
    @EnumSource
    void whatARankSaysIsReadByOthers(Activity activity) {
        Standing standing =
                new Standing(activity, true, List.of("java.lang.Thread.sleep(Thread.java)", "a.B.c(B.java:7)"));

        assertThat(Standing.read(standing.text("did not ping for 6.0 s; heap 98 %", ": more, 212 pings")))
                .contains(standing);
        assertThat(Standing.read(standing.text("", ""))).contains(new Standing(activity, false, standing.frames()));
        assertThat(standing.place()).isEqualTo("a.B.c(B.java:7)");
    }

    @Test
    void textThatIsCutIsReadAsFarAsItGoes() {
        assertThat(
                        Standing.read(
                                "made no progress for 6.0 s, sleeps, at [java.lang.Thread.sleep(Thread.java), a.B.c(B.java:7), a.B"))
                .contains(new Standing(
                        Activity.SLEEP, true, List.of("java.lang.Thread.sleep(Thread.java)", "a.B.c(B.java:7)")));
    }

    @Test
    void whatOthersSayOfARankIsNotWhatItDoes() {
        assertThat(Standing.read("its process has shown no progress for 6000 ms"))
                .isEmpty();
        assertThat(
                        Standing.read(
                                "it has made no step, and rank 0, which waits for it, made no progress for 60.0 s, sleeps, at [a.B.c(B.java:7)]"))
                .isEmpty();
    }

    @Test
    void longStackIsCutBetweenFrames() {
        String name = "x".repeat(90);
        String text = standing(
                        Thread.State.RUNNABLE,
                        Stream.generate(() -> "A." + name)
                                .limit(9)
                                .reduce((a, b) -> a + " < " + b)
                                .orElseThrow())
                .text("made no progress for 6.0 s", "");

        assertThat(text).hasSizeLessThan(500).endsWith(name + "(Source.java:7)]");
    }

    @Test
    void framesOfAThreadDumpSayTheSame() {
        assertThat(Standing.activityOf(List.of(
                        "java.lang.Thread.sleep(java.base@17.0.9/Native Method)", "LogReg.fault(LogReg.java:71)")))
                .isEqualTo(Activity.SLEEP);
        assertThat(Standing.activityOf(List.of("com.acme.Blas.gemm(Native Method)", "LogReg.gradient(LogReg.java:80)")))
                .isEqualTo(Activity.NATIVE);
        assertThat(StackFrames.brief("com.acme.LogReg$Star.read(LogReg.java:180)"))
                .isEqualTo("LogReg$Star.read:180");
        assertThat(StackFrames.brief("com.acme.Blas.gemm(Native Method)")).isEqualTo("Blas.gemm");
    }
}
