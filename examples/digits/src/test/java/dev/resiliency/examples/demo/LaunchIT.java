package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the demo of the launcher as a user does: the script, with real agents and ranks. */
class LaunchIT {
    @TempDir
    private Path directory;

    private Path report;
    private Script script;

    @BeforeEach
    void setUp() throws Exception {
        report = directory.resolve("report.json");
        script = new Script(directory, "launch.sh", "--plain", "--json=" + report);
    }

    @Tag("full")
    @Test
    void jobOutlivesARankAnAgentAndANodeAtItsFullSize() throws Exception {
        assertThat(script.run()).as(script.output()).isZero();

        JsonNode json = Json.MAPPER.readTree(report.toFile());
        assertThat(json.get("nodes").intValue()).isEqualTo(6);
        assertThat(json.get("worldSizeAtEnd").intValue()).isEqualTo(16);
        assertThat(json.get("replacements").intValue()).isEqualTo(7);
        assertThat(json.get("nodesLost").intValue()).isEqualTo(2);
        assertThat(json.get("stepsLost").intValue()).isZero();
        assertThat(json.get("accuracy").doubleValue()).isGreaterThanOrEqualTo(0.95);
        assertThat(script.output())
                .contains("was ended by SIGKILL", "node node3 (127.0.0.4) is lost", "node node3 (127.0.0.4) has joined")
                .doesNotContain("FAILED");
        assertThat(script.filesLeft()).isEmpty();
    }

    @Test
    void mistakeOfTheUserIsReportedAtOnce() throws Exception {
        assertThat(script.run("--steps=10")).isEqualTo(2);

        assertThat(script.output()).startsWith("error: --steps is 10: it must be at least 100");
    }
}
