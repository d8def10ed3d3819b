package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Script;
import dev.resiliency.testing.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the benchmark as a user does, for a short time. */
class ChaosIT {
    private Script bench;

    @BeforeEach
    void setUp(@TempDir Path directory) throws IOException {
        bench = new Script(directory, "bench.sh", "chaos");
    }

    /** Long enough for faults of both kinds: half a minute on a machine that has nothing else to do. */
    private static String time() {
        return "--minutes=" + Patience.stretch(Duration.ofSeconds(15)).toMillis() / 60_000.0;
    }

    @Tag("full")
    @Test
    void noInvariantBreaksInFourRanks() throws Exception {
        JsonNode report = bench.report(time(), "--ranks=4", "--seed=1");
        assertThat(report.get("violations")).isEmpty();
        assertThat(report.get("faults")).isNotEmpty();
        assertThat(report.at("/counts/RESTARTS").intValue()).isPositive();
        assertThat(report.at("/counts/REPLACED").intValue()).isPositive();
        assertThat(bench.output()).contains("seed 1, 4 ranks", "No invariant was broken.");
        assertThat(bench.filesLeft()).isEmpty();
    }

    @Tag("full")
    @Test
    void noInvariantBreaksUnderAgents() throws Exception {
        JsonNode report = bench.report("--launched", time(), "--seed=3");
        assertThat(report.get("violations")).isEmpty();
        assertThat(report.get("faults")).isNotEmpty();
        assertThat(bench.output()).contains("policy soft", "whole again after", "No invariant was broken.");
        assertThat(bench.filesLeft()).isEmpty();
    }

    @Test
    void signalEndsAllProcessesAndDeletesAllFiles() throws Exception {
        Process chaos = bench.start("--ranks=3");
        bench.awaitOutput(chaos, "until the full world did");
        List<ProcessHandle> processes = chaos.descendants().toList();
        assertThat(processes).hasSizeGreaterThan(3); // at least two active ranks, and their monitor processes

        new ProcessBuilder("kill", "-INT", Long.toString(chaos.pid())).start().waitFor();

        bench.exitCode(chaos);
        await().atMost(Script.LIMIT).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(bench.output()).doesNotContain("BROKEN");
        assertThat(bench.filesLeft()).isEmpty();
    }
}
