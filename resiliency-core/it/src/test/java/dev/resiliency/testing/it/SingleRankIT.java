package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.testing.MonitorProcesses;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import dev.resiliency.testing.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job of one rank, as on a laptop: nothing that only other ranks need may delay it. */
class SingleRankIT {
    @TempDir
    private Path directory;

    /** Returns the classes that an empty call has initialized. */
    private List<String> initializedBy(String... options) throws Exception {
        Path file = directory.resolve("classes.log");
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-Xlog:class+init=info:file=" + file);
        try (RankProcess rank = ProcessJob.builder(EmptyProgram.class, directory)
                .javaOptions(all.toArray(String[]::new))
                .start()
                .rank(0)) {
            assertThat(rank.awaitExit()).isZero();
            assertThat(rank.lines()).containsExactly("RESULT 1", "ALIVE [main]");
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.contains(" Initializing '"))
                    .map(line -> line.replaceAll(".* Initializing '([^']*)'.*", "$1"))
                    .toList();
        }
    }

    @Test
    void rankWithoutALauncherNeedsNeitherANetworkNorAWarmUpNorTheFlightRecorder() throws Exception {
        assertThat(initializedBy("-Dsingle"))
                .contains("dev/resiliency/inprocess/internal/loop/Running")
                .noneMatch(name -> name.startsWith("io/netty/"))
                .noneMatch(name -> name.startsWith("dev/resiliency/store/tcp/internal/"))
                .noneMatch(name -> name.startsWith("dev/resiliency/inprocess/internal/WarmUp"))
                .noneMatch(name -> name.equals("jdk/jfr/Event"))
                .as("the equals or hashCode of a record, which the JVM links on first use")
                .doesNotContain("java/lang/runtime/ObjectMethods");
    }

    @Test
    void rankThatALauncherHasGivenAPortHostsItsStoreThere() throws Exception {
        assertThat(initializedBy()).anyMatch(name -> name.startsWith("io/netty/"));
    }

    @Tag("full")
    @Test
    void rankWhoseStoreNoOtherProcessReachesOutlivesItsHeartbeatTimeout() throws Exception {
        Path pidFile = directory.resolve("monitor.pid");
        Duration heartbeatTimeout = Duration.ofMillis(300);
        Wrapper wrapper = Wrapper.builder()
                .environment(Environment.single())
                .heartbeatTimeout(heartbeatTimeout)
                .monitorProcessInterval(heartbeatTimeout.dividedBy(6))
                .monitorProcessPidFile(pidFile.toString())
                .build();

        String result = wrapper.call(call -> {
            while (Files.notExists(pidFile)) {
                Thread.sleep(1);
            }
            Thread.sleep(heartbeatTimeout.multipliedBy(4).toMillis());
            return "done";
        });

        assertThat(result).isEqualTo("done");
    }

    @Test
    void functionStartsAndEndsWhileTheMonitorProcessIsStillStarting() throws Exception {
        Wrapper wrapper = Wrapper.builder()
                .environment(Environment.single())
                .store((environment, call) -> {
                    stopMonitorProcess();
                    return InMemoryStore.create();
                })
                .build();

        Long monitor = wrapper.call(call -> MonitorProcesses.ofThisProcess().get(0));

        assertThat(ProcessHandle.of(Objects.requireNonNull(monitor)))
                .as("the monitor process after the call")
                .isEmpty();
    }

    private static void stopMonitorProcess() throws InterruptedException {
        try {
            Signal.send("STOP", MonitorProcesses.ofThisProcess());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
