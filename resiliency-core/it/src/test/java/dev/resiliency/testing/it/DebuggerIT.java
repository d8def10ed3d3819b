package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank under a debugger: a real JVM with the debug agent, which a debugger suspends for longer than its hard timeout. */
class DebuggerIT {
    private static final String LISTENING = "Listening for transport dt_socket at address: ";
    private static final String DEBUG_AGENT =
            "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

    @TempDir
    private Path directory;

    private ProcessJob.Builder program(String... options) {
        return ProcessJob.builder(DebuggedProgram.class, directory)
                .javaOptions("-DpidFile=" + directory.resolve("monitor.pid"))
                .javaOptions(options);
    }

    private void awaitMonitorProcess() {
        await().until(() -> Files.exists(directory.resolve("monitor.pid")));
    }

    private static VirtualMachine attach(RankProcess rank) throws Exception {
        await().until(() -> rank.lines().stream().anyMatch(line -> line.startsWith(LISTENING)));
        String address = rank.lines().get(0).substring(LISTENING.length());
        AttachingConnector sockets = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = sockets.defaultArguments();
        Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
        Objects.requireNonNull(arguments.get("port")).setValue(address.substring(address.indexOf(':') + 1));
        return sockets.attach(arguments);
    }

    private static void letTheHardTimeoutPass() throws InterruptedException {
        Thread.sleep(DebuggedProgram.HARD_TIMEOUT.multipliedBy(3).toMillis());
    }

    @Test
    void rankThatADebuggerSuspendsForLongerThanTheHardTimeoutLivesOn() throws Exception {
        try (RankProcess rank = program(DEBUG_AGENT).start().rank(0)) {
            VirtualMachine machine = attach(rank);
            rank.awaitLine("ENTERED iteration 0");
            awaitMonitorProcess();

            machine.suspend();
            letTheHardTimeoutPass();
            machine.resume();
            machine.dispose();
            rank.send("");

            assertThat(rank.awaitExit()).isZero();
            assertThat(rank.lines()).contains("RESULT 0");
            assertThat(rank.log())
                    .containsOnlyOnce("[rank 0/1] hang protection is off, as this process was started for debugging")
                    .contains("-Ddev.resiliency.hangProtection=true turns it on");
        }
    }

    @Test
    void debugAgentThatComesFromTheEnvironmentCountsAsWell() throws Exception {
        try (RankProcess rank =
                program().environment("JAVA_TOOL_OPTIONS", DEBUG_AGENT).start().rank(0)) {
            rank.awaitLine("ENTERED iteration 0");
            awaitMonitorProcess();

            letTheHardTimeoutPass();
            rank.send("");

            assertThat(rank.awaitExit()).isZero();
            assertThat(rank.lines()).contains("RESULT 0");
        }
    }

    @Test
    void hangProtectionThatIsForcedEndsTheRankNevertheless() throws Exception {
        try (RankProcess rank = program(DEBUG_AGENT, "-Ddev.resiliency.hangProtection=true")
                .start()
                .rank(0)) {
            assertThat(rank.awaitExit()) // on a starved host before it has entered the function
                    .as("with a stuck worker or by a signal")
                    .isNotZero();
            assertThat(rank.lines()).noneMatch(line -> line.startsWith("RESULT"));
        }
    }
}
