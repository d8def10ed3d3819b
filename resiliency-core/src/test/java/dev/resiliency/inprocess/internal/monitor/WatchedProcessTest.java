package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Signals to a real child process. */
@Timeout(60)
class WatchedProcessTest {
    private static final int SIGTERM = 128 + 15;
    private static final int SIGKILL = 128 + 9;

    private final Process child;
    private final String start;

    WatchedProcessTest() throws IOException {
        child = new ProcessBuilder("sleep", "600").start();
        start = ProcessStart.of(child.pid());
    }

    @AfterEach
    void endChild() throws InterruptedException {
        child.destroyForcibly().waitFor();
    }

    @Test
    void processIsTerminated() throws Exception {
        new WatchedProcess(child.pid(), start).terminate();

        assertThat(child.waitFor()).isEqualTo(SIGTERM);
    }

    @Test
    void suspendedProcessIsTerminatedOnceItIsWoken() throws Exception {
        WatchedProcess process = new WatchedProcess(child.pid(), start);
        assertThat(process.isSuspended()).isFalse();
        stop(child);
        assertThat(process.isSuspended()).isTrue();

        process.wake();
        process.terminate();

        assertThat(child.waitFor()).isEqualTo(SIGTERM);
    }

    @Test
    void processIsTerminatedAllTheSameWhereThereIsNoShellToWakeIt() throws Exception {
        WatchedProcess process = new WatchedProcess(child.pid(), start, ProcessStart.PROC, "no-such-shell");

        assertThatIOException().isThrownBy(process::wake).withMessageContaining("no-such-shell");
        process.terminate();

        assertThat(child.waitFor()).isEqualTo(SIGTERM);
    }

    @Test
    void suspendedProcessIsKilled() throws Exception {
        stop(child);

        new WatchedProcess(child.pid(), start).kill();

        assertThat(child.waitFor()).isEqualTo(SIGKILL);
    }

    @Test
    void processThatIgnoresSigtermIsKilled() throws Exception {
        Process stubborn = new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; read forever").start();
        assertThat(stubborn.inputReader(UTF_8).readLine()).isEqualTo("ready");

        new WatchedProcess(stubborn.pid(), ProcessStart.of(stubborn.pid())).kill();

        assertThat(stubborn.waitFor()).isEqualTo(SIGKILL);
    }

    @Test
    void anotherProcessOfTheSameIdGetsNoSignal() throws Exception {
        WatchedProcess former = new WatchedProcess(child.pid(), "1 ticks");

        former.wake();
        former.terminate();
        former.kill();

        // A signal would have ended it: it is sent before the call returns, and one that stops is obeyed after it.
        stop(child);
        assertThat(child.isAlive()).isTrue();
    }

    @Test
    void processThatHasEndedIsNoFailure() throws Exception {
        child.destroyForcibly().waitFor();
        WatchedProcess gone = new WatchedProcess(child.pid(), start);

        assertThatCode(gone::wake).doesNotThrowAnyException();
        assertThatCode(gone::terminate).doesNotThrowAnyException();
        assertThatCode(gone::kill).doesNotThrowAnyException();
        assertThat(gone.isDumpingCore()).isFalse();
    }

    @Test
    void processThatDumpsCoreIsDetected(@TempDir Path proc) throws Exception {
        Path status = Files.createDirectory(proc.resolve("7")).resolve("status");
        WatchedProcess crashed = new WatchedProcess(7, start, proc, "sh");
        assertThat(crashed.isDumpingCore()).isFalse();

        Files.writeString(status, "Name:\tjava\nState:\tR (running)\nCoreDumping:\t0\nThreads:\t31\n");
        assertThat(crashed.isDumpingCore()).isFalse();

        Files.writeString(status, "Name:\tjava\nState:\tD (disk sleep)\nCoreDumping:\t1\nThreads:\t31\n");
        assertThat(crashed.isDumpingCore()).isTrue();
    }

    @Test
    void runningProcessDumpsNoCore() {
        assertThat(new WatchedProcess(child.pid(), start).isDumpingCore()).isFalse();
    }

    private static void stop(Process process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start();
        assertThat(kill.waitFor(20, TimeUnit.SECONDS)).isTrue();
        await().pollInterval(Duration.ofMillis(1)).until(() -> stateOf(process).equals("T"));
    }

    /** The letter behind the name in {@code /proc/PID/stat}. */
    private static String stateOf(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", 2)[0];
    }
}
