package dev.resiliency.inprocess.spi.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

        String text = standing.text("made no progress for 6.0 s, ", ", 212 pings");

        assertThat(text)
                .isEqualTo("made no progress for 6.0 s, sleeps, 212 pings, at [java.lang.Thread.sleep(Native Method),"
                        + " LogReg.fault(Source.java:7), LogReg.train(Source.java:7)]");
        assertThat(standing.brief(text)).isEqualTo("made no progress for 6.0 s, sleeps, 212 pings, at LogReg.fault:7");
        assertThat(standing.withFrames(standing.withoutFrames(text))).isEqualTo(text);
        assertThat(standing.path()).isEqualTo("LogReg.fault:7 < LogReg.train:7");
        assertThat(standing.place()).isEqualTo("LogReg.fault(Source.java:7)");
        assertThat(Standing.of(Activity.SILENT).brief("loss is NaN")).isEqualTo("loss is NaN");
    }

    @Test
    void framesAreFewAndNoneIsLong() {
        String method = "A." + "x".repeat(900);
        String methods = String.join(" < ", Collections.nCopies(9, method));

        assertThat(standing(Thread.State.RUNNABLE, methods).frames()).hasSize(5).containsOnly(method.substring(0, 160));
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
