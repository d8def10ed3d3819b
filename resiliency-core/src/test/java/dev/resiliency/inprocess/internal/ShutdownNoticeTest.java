package dev.resiliency.inprocess.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Stacks as JDK 17 and 25 show them to a shutdown hook. */
class ShutdownNoticeTest {
    private static final StackTraceElement HOOKS = frame("java.lang.ApplicationShutdownHooks", "runHooks");
    private static final StackTraceElement SHUTDOWN = frame("java.lang.Shutdown", "exit");
    private static final StackTraceElement RUNTIME = frame("java.lang.Runtime", "exit");
    private static final StackTraceElement SYSTEM = frame("java.lang.System", "exit");

    private static StackTraceElement frame(String className, String method) {
        return new StackTraceElement(className, method, className.replaceFirst(".*\\.", "") + ".java", 12);
    }

    private static String cause(String thread, StackTraceElement... stack) {
        return ShutdownNotice.cause(Map.of(new Thread(thread), stack, new Thread("other"), new StackTraceElement[] {
            frame("java.lang.Object", "wait")
        }));
    }

    @Test
    void callerOfSystemExitIsNamed() {
        assertThat(cause("main", HOOKS, SHUTDOWN, RUNTIME, SYSTEM, frame("com.example.Train", "step")))
                .isEqualTo("by System.exit on thread main, at Train.step:12,");
    }

    @Test
    void signalIsNoCallOfSystemExit() {
        assertThat(cause(
                        "SIGTERM handler",
                        HOOKS,
                        SHUTDOWN,
                        frame("java.lang.Terminator$1", "handle"),
                        frame("jdk.internal.misc.Signal$1", "run")))
                .isEqualTo("by SIGTERM");
    }

    @Test
    void handlerOfASignalThatEndsTheProcessStandsForTheSignal() {
        assertThat(cause(
                        "SIGINT handler",
                        HOOKS,
                        SHUTDOWN,
                        RUNTIME,
                        frame("com.example.Handler", "handle"),
                        frame("jdk.internal.misc.Signal$1", "run")))
                .isEqualTo("by SIGINT");
    }

    @Test
    void threadThatIsNamedLikeAHandlerIsNone() {
        assertThat(cause("request handler", HOOKS, SHUTDOWN, RUNTIME, SYSTEM, frame("com.example.Server", "stop")))
                .startsWith("by System.exit on thread request handler, at Server.stop");
    }

    @Test
    void jvmThatEndsWithItsLastThreadIsNotSaidToHaveBeenExited() {
        assertThat(ShutdownNotice.cause(Map.of())).isEqualTo("as its last thread had ended");
    }
}
