package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import dev.resiliency.testing.Signal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts of jobs of real processes, by real faults. */
class RestartIT {
    @TempDir
    Path directory;

    @Test
    void survivorsOfASigkillReenterWithNewRanksAndLeaveNothingBehind() throws Exception {
        try (ProcessJob job = RankProgram.start(4, directory, "-Diterations=1")) {
            for (RankProcess rank : job.ranks()) {
                rank.awaitLine("ENTERED %d of 4, iteration 0".formatted(rank.rank()));
            }

            job.rank(2).kill();

            assertEndsWell(job.rank(0), "ENTERED 0 of 3, iteration 1", "RESULT 0");
            assertEndsWell(job.rank(1), "ENTERED 1 of 3, iteration 1", "RESULT 1");
            assertEndsWell(job.rank(3), "ENTERED 2 of 3, iteration 1", "RESULT 2");
            for (RankProcess survivor : job.others(2)) {
                assertThat(survivor.log()).contains("TERMINATED on rank 2").contains("restarted in ");
            }
            // The monitor process of the dead rank has cleaned up after it.
            assertThat(directory.resolve("tmp-2")).isEmptyDirectory();
        }
    }

    /** The hook of a JVM that is shut down can still say how. */
    @Tag("full")
    @Test
    void systemExitAndSigtermAreToldFromASigkill() throws Exception {
        try (ProcessJob job =
                RankProgram.start(3, directory, "-Diterations=2", "-Dmisbehaving=1", "-Dmisbehave=EXIT")) {
            assertThat(job.rank(1).awaitExit()).isEqualTo(3);
            job.rank(2).awaitLine("ENTERED 1 of 2, iteration 1");
            job.rank(2).signal("TERM");

            assertEndsWell(job.rank(0), "ENTERED 0 of 1, iteration 2");
            assertThat(job.rank(0).log())
                    .containsPattern("TERMINATED on rank 1 \\(its JVM was shut down by System.exit on thread"
                            + " resiliency-worker-r1-i0, at RankProgram.misbehave:\\d+, while the"
                            + " function ran\\)")
                    .contains("TERMINATED on rank 2 (its JVM was shut down by SIGTERM while the function ran)");
        }
    }

    /** The limit leaves a busy machine time to find out why the function stalls. */
    @Tag("full")
    @Test
    void functionThatWaitsForATaskThatHasRunOutOfMemoryIsRestartedForThatReason() throws Exception {
        try (ProcessJob job = RankProgram.start(
                2,
                directory,
                "-Diterations=1",
                "-Dmisbehaving=1",
                "-Dmisbehave=LOSE_LOADER",
                "-DsoftMillis=15000",
                "-DhardMillis=40000")) {
            assertEndsWell(job.rank(0), "ENTERED 0 of 2, iteration 1");
            assertThat(job.rank(0).log()).contains("OUT_OF_MEMORY on rank 1 (threw 1 OutOfMemoryError; ");
        }
    }

    @Tag("full")
    @Test
    void exceptionOnOneRankRestartsAll() throws Exception {
        try (ProcessJob job =
                RankProgram.start(4, directory, "-Diterations=1", "-Dmisbehaving=1", "-Dmisbehave=THROW")) {
            for (RankProcess rank : job.ranks()) {
                assertEndsWell(rank, "ENTERED %d of 4, iteration 1".formatted(rank.rank()), "RESULT " + rank.rank());
                assertThat(rank.log()).contains("EXCEPTION on rank 1 (IllegalStateException: loss is NaN)");
            }
        }
    }

    @Tag("full")
    @Test
    void rankThatStopsPingingIsRestartedWithAllOthers() throws Exception {
        try (ProcessJob job = RankProgram.start(
                2, directory, "-Diterations=1", "-Dmisbehaving=1", "-Dmisbehave=STOP_PINGING", "-DsoftMillis=500")) {
            for (RankProcess rank : job.ranks()) {
                assertEndsWell(rank, "ENTERED %d of 2, iteration 1".formatted(rank.rank()));
                assertThat(rank.log()).contains("SOFT_TIMEOUT on rank 1 (did not ping for");
            }
        }
    }

    @Tag("full")
    @Test
    void functionThatSpinsWhenAnotherRankFailsIsStoppedFromOutside() throws Exception {
        try (ProcessJob job = RankProgram.start(
                3, directory, "-Diterations=1", "-Dmisbehaving=1", "-Dmisbehave=SPIN", "-DasyncStopMillis=300")) {
            job.rank(0).awaitLine("ENTERED 0 of 3, iteration 0");
            job.rank(1).awaitLine("ENTERED 1 of 3, iteration 0");
            job.rank(2).awaitLine("ENTERED 2 of 3, iteration 0");

            job.rank(2).kill();

            assertEndsWell(job.rank(0), "ENTERED 0 of 2, iteration 1");
            assertEndsWell(job.rank(1), "ENTERED 1 of 2, iteration 1");
            assertThat(job.rank(1).log()).contains("stopped by async stop");
            assertThat(job.rank(0).log()).doesNotContain("async stop");
        }
    }

    @Tag("full")
    @Test
    void suspendedProcessIsTerminatedAndTheOthersContinueWithoutIt() throws Exception {
        try (ProcessJob job =
                RankProgram.start(3, directory, "-Diterations=1", "-DsoftMillis=1500", "-DhardMillis=4000")) {
            job.rank(1).awaitLine("ENTERED 1 of 3, iteration 0");
            job.rank(2).awaitLine("ENTERED 2 of 3, iteration 0");

            job.rank(1).signal("STOP");

            assertEndsWell(job.rank(0), "ENTERED 0 of 2, iteration 1");
            assertEndsWell(job.rank(2), "ENTERED 1 of 2, iteration 1");
            assertThat(job.rank(0).log()).contains("SOFT_TIMEOUT on rank 1").contains("HARD_TIMEOUT on rank 1");
            assertThat(job.rank(1).awaitExit()).isNotZero();
            assertThat(job.rank(1).log())
                    .containsAnyOf( // whichever it learns first when it continues
                            "ends, by its monitor process: no progress for 4000 ms (hardTimeout), since ",
                            "was declared dead by its job, which continues without it");
        }
    }

    @Tag("full")
    @Test
    void processSuspendedForLessThanTheHardTimeoutRestartsWithAllOthers() throws Exception {
        try (ProcessJob job =
                RankProgram.start(3, directory, "-Diterations=1", "-DsoftMillis=500", "-DhardMillis=40000")) {
            for (RankProcess rank : job.ranks()) {
                rank.awaitLine("ENTERED %d of 3, iteration 0".formatted(rank.rank()));
            }

            job.rank(1).signal("STOP");
            job.rank(0).awaitLine("STOPPED in iteration 0");
            job.rank(2).awaitLine("STOPPED in iteration 0");
            job.rank(1).signal("CONT");

            for (RankProcess rank : job.ranks()) {
                assertEndsWell(rank, "ENTERED %d of 3, iteration 1".formatted(rank.rank()));
                assertThat(rank.log())
                        .contains("SOFT_TIMEOUT on rank 1 (its process has shown no progress for")
                        .doesNotContain("HARD_TIMEOUT");
            }
        }
    }

    @Tag("full")
    @Test
    void rankThatAbortsLeavesAndTheOthersGoOnWithoutIt() throws Exception {
        try (ProcessJob job =
                RankProgram.start(3, directory, "-Diterations=1", "-Dmisbehaving=1", "-Dmisbehave=ABORT")) {
            assertEndsWell(job.rank(0), "ENTERED 0 of 2, iteration 1");
            assertEndsWell(job.rank(1), "THROWN dev.resiliency.inprocess.RestartAbort: no more data");
            assertEndsWell(job.rank(2), "ENTERED 1 of 2, iteration 1");
            assertThat(job.rank(0).log()).contains("TERMINATED_BY_RANK on rank 1");
        }
    }

    @Test
    void rankWhoseMonitorProcessIsKilledLeavesAndSaysWhy() throws Exception {
        Path pidFile = directory.resolve("monitor-{rank}.pid");
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=1", "-DpidFile=" + pidFile)) {
            job.rank(1).awaitLine("ENTERED 1 of 3, iteration 0");
            long monitor = Long.parseLong(
                    Files.readString(directory.resolve("monitor-1.pid")).trim());

            ProcessHandle.of(monitor).orElseThrow().destroyForcibly();

            assertThat(job.rank(1).awaitExit()).isZero();
            assertThat(job.rank(1).lines())
                    .contains("LEFT []")
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("THROWN dev.resiliency.inprocess.MonitorProcessException: the monitor process "
                                    + monitor + " ended"));
            assertEndsWell(job.rank(0), "ENTERED 0 of 2, iteration 1");
            assertThat(job.rank(0).log()).contains("MONITOR_PROCESS_LOST on rank 1");
            assertEndsWell(job.rank(2), "ENTERED 1 of 2, iteration 1");
        }
    }

    @Tag("full")
    @Test
    void rankWhoseMonitorProcessCannotStartLeavesAndTheOthersStartWithoutIt() throws Exception {
        Files.writeString(directory.resolve("pids-1"), "a file where the directory of rank 1 would be");
        Path pidFile = directory.resolve("pids-{rank}").resolve("monitor.pid");
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=0", "-DpidFile=" + pidFile)) {
            assertThat(job.rank(1).awaitExit()).isZero();
            assertThat(job.rank(1).lines())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("THROWN dev.resiliency.inprocess.MonitorProcessException: the monitor process ")
                            .contains("pids-1"));
            assertEndsWell(job.rank(0), "ENTERED 0 of 2, iteration 0");
            assertEndsWell(job.rank(2), "ENTERED 1 of 2, iteration 0");
        }
    }

    @Tag("full")
    @Test
    void rankWhoseHostWasSuspendedIsReplacedAndDisturbsNoOtherWhenItReturns() throws Exception {
        Path pidFile = directory.resolve("monitor-{rank}.pid");
        try (ProcessJob job =
                RankProgram.start(3, directory, "-Diterations=2", "-DleaseMillis=1500", "-DpidFile=" + pidFile)) {
            RankProcess stopped = job.rank(1);
            stopped.awaitLine("ENTERED 1 of 3, iteration 0");
            long monitor = Long.parseLong(
                    Files.readString(directory.resolve("monitor-1.pid")).trim());

            Signal.send("STOP", List.of(monitor));
            stopped.signal("STOP");
            job.rank(0).awaitLine("ENTERED 0 of 2, iteration 1");
            job.rank(2).awaitLine("ENTERED 1 of 2, iteration 1");
            Signal.send("CONT", List.of(monitor));
            stopped.signal("CONT");

            assertThat(stopped.awaitExit()).isZero();
            assertThat(stopped.lines())
                    .contains("LEFT []")
                    .anySatisfy(
                            line -> assertThat(line).startsWith("THROWN dev.resiliency.store.SessionExpiredException"));
            assertThat(job.rank(0).lines()).noneMatch(line -> line.endsWith("iteration 2"));
            job.rank(2).kill();
            assertEndsWell(job.rank(0), "ENTERED 0 of 1, iteration 2");
            assertThat(job.rank(0).log()).contains("TERMINATED on rank 1 (its session ended without a goodbye");
        }
    }

    @Tag("full")
    @Test
    void lossOfTheStoresHostEndsEveryOtherRankWithItsAddress() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=1", "-DendsWithStore=true")) {
            for (RankProcess rank : job.ranks()) {
                rank.awaitLine("ENTERED %d of 3, iteration 0".formatted(rank.rank()));
            }

            job.rank(0).kill();

            for (RankProcess survivor : job.others(0)) {
                assertThat(survivor.awaitExit()).isZero();
                assertThat(survivor.lines())
                        .contains("LEFT []")
                        .anySatisfy(line -> assertThat(line)
                                .startsWith("THROWN dev.resiliency.store.StoreLostException: store at 127.0.0.1:"
                                        + job.port()));
            }
        }
    }

    @Tag("full")
    @Test
    void lossOfTheStoreWithAHostThatLeftIsExplainedByWhatMadeTheHostLeave() throws Exception {
        try (ProcessJob job = RankProgram.start(
                3, directory, "-Diterations=9", "-Dmisbehaving=0", "-Dmisbehave=ABORT", "-DendsWithStore=true")) {
            for (RankProcess survivor : job.others(0)) {
                assertThat(survivor.awaitExit()).isZero();
                assertThat(survivor.lines())
                        .contains("THROWN dev.resiliency.store.StoreLostException: store at 127.0.0.1:" + job.port()
                                + " was lost with rank 0, which hosted it and has left the job: TERMINATED_BY_RANK on"
                                + " rank 0 (dev.resiliency.inprocess.RestartAbort: no more data)");
            }
        }
    }

    private void assertEndsWell(RankProcess rank, String... said) throws Exception {
        assertThat(rank.awaitExit()).isZero();
        assertThat(rank.lines()).contains(said).contains("LEFT []");
    }
}
